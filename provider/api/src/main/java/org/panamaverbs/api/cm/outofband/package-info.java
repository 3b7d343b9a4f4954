/**
 * Queue pairs connected without a connection manager, as is common on InfiniBand and RoCE over a socket of the
 * application: the exchanged data, its encoding, and the transitions from INIT to RTS. Start with
 * {@link org.panamaverbs.api.cm.outofband.OutOfBand}.
 */
@NullMarked
package org.panamaverbs.api.cm.outofband;

import org.jspecify.annotations.NullMarked;
