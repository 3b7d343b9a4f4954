/**
 * One side's processor in the other's memory: what of a domain's memory peers of this host may reach, how that is taken
 * away, and where this side finds theirs.
 */
@NullMarked
package org.panamaverbs.iwarp.engine.direct;

import org.jspecify.annotations.NullMarked;
