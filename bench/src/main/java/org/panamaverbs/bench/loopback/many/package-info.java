/** Many connections at once, active and idle ones. */
@NullMarked
package org.panamaverbs.bench.loopback.many;

import org.jspecify.annotations.NullMarked;
