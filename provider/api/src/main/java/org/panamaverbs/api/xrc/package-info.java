/**
 * Extended reliable connections (XRC): one connection of a process reaches the shared receive queues of all processes
 * of a peer. What is sent by a queue pair of type {@link org.panamaverbs.api.QueuePairType#XRC_SEND} names the queue,
 * {@link org.panamaverbs.api.SendQueue#toSharedReceiveQueue}; the rest of it is here. It imports the verbs, and is
 * imported by applications and by providers that have it.
 */
@NullMarked
package org.panamaverbs.api.xrc;

import org.jspecify.annotations.NullMarked;
