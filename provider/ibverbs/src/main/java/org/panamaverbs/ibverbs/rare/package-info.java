/** The calls that few devices have, and libibverbs only as function pointers of a context or a queue pair. */
@NullMarked
package org.panamaverbs.ibverbs.rare;

import org.jspecify.annotations.NullMarked;
