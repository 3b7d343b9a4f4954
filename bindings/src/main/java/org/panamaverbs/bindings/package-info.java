/**
 * The native libraries that the bindings stand on: whether they are there and, if not, why; and the errors they report.
 */
@NullMarked
package org.panamaverbs.bindings;

import org.jspecify.annotations.NullMarked;
