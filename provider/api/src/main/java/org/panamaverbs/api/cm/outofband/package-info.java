/**
 * Queue pairs connected without a connection manager, as is common on InfiniBand and RoCE over a socket of the
 * application: the exchanged data, its encoding, and the transitions from INIT to RTS.
 *
 * <p>Three entry points:
 *
 * <ul>
 *   <li>{@link org.panamaverbs.api.cm.outofband.OutOfBand#of} prepares a queue pair.
 *   <li>{@link org.panamaverbs.api.cm.outofband.OutOfBand#connect} exchanges endpoints over a stream and connects it.
 *   <li>{@link org.panamaverbs.api.cm.outofband.QueuePairEndpoint} is the exchanged data, for an exchange of your own.
 * </ul>
 *
 * <pre>{@code
 * OutOfBand outOfBand = OutOfBand.of(verbs, queuePair, OutOfBandConfig.defaults());
 * QueuePairEndpoint peer = outOfBand.connect(socket.getInputStream(), socket.getOutputStream(), buffer.remote());
 * PostStatus.check(queuePair.write(1, buffer, 0, 512, peer.buffers().get(0), 0, SendFlag.SIGNALED));
 * }</pre>
 */
@NullMarked
package org.panamaverbs.api.cm.outofband;

import org.jspecify.annotations.NullMarked;
