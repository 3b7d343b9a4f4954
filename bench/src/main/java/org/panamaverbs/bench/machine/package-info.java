/** The machine of a run: what it is, what else it does meanwhile, and its memory held back. */
@NullMarked
package org.panamaverbs.bench.machine;

import org.jspecify.annotations.NullMarked;
