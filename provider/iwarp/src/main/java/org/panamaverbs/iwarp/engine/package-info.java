/**
 * Sockets, threads, clock and connection manager around the protocol core, and the objects of the verbs API.
 *
 * <p>Locks, in the order in which they are taken: a {@link org.panamaverbs.iwarp.engine.StreamDriver}'s (one for each
 * queue pair), then a shared receive queue's or completion queue's, then a completion channel's or the event queue's.
 * Handshakes and listeners belong to the {@link org.panamaverbs.iwarp.engine.device.EventLoop}'s thread. Waits are not
 * interruptible: an interrupt that comes meanwhile is still set afterwards.
 */
@NullMarked
package org.panamaverbs.iwarp.engine;

import org.jspecify.annotations.NullMarked;
