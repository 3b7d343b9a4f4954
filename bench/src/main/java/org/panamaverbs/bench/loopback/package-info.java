/**
 * What operations cost from end to end: provider iwarp beside plain TCP, over the loopback, both sides in one process.
 * The thread that is measured is this side's; a thread of its own plays the peer, the same way for ours and for TCP.
 */
@NullMarked
package org.panamaverbs.bench.loopback;

import org.jspecify.annotations.NullMarked;
