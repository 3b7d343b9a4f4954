/**
 * Extended reliable connections (XRC): one connection of a process reaches the shared receive queues of all processes
 * of a peer. A queue pair of type {@link org.panamaverbs.api.QueuePairType#XRC_SEND} sends, and names the queue by
 * {@link org.panamaverbs.api.SendQueue#toSharedReceiveQueue}. This package has the receiving side; start with
 * {@link org.panamaverbs.api.xrc.XrcDevice}.
 */
@NullMarked
package org.panamaverbs.api.xrc;

import org.jspecify.annotations.NullMarked;
