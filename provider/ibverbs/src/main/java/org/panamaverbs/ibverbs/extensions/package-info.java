/** The calls that few devices have, and libibverbs only as function pointers of a context or a queue pair. */
@NullMarked
package org.panamaverbs.ibverbs.extensions;

import org.jspecify.annotations.NullMarked;
