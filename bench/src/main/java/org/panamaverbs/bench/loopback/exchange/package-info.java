/** Both sides of one exchange over the loopback: ours and plain TCP, each with a thread that plays the peer. */
@NullMarked
package org.panamaverbs.bench.loopback.exchange;

import org.jspecify.annotations.NullMarked;
