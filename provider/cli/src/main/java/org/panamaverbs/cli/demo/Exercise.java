package org.panamaverbs.cli.demo;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * One operation of the demo, with what each peer does for it. Without state: each call gets the peer on which it runs,
 * and the seed from which both peers make the round's data.
 *
 * <p>The order in each round: responder {@link #prepare}, initiator {@link #load}, {@link #post} (measured, to its
 * completion), {@link #check}, {@link #offer}, responder {@link #verify}.
 */
interface Exercise {
    /** Returns what the table calls it. */
    String title();

    long bytes();

    boolean supported(Capabilities capabilities);

    /**
     * On the responder: makes ready, and posts the receive that the operation consumes; returns memory of its own to
     * use.
     */
    default @Nullable RemoteBuffer prepare(Endpoint responder, long seed) {
        return null;
    }

    /** On the initiator: fills what is to be sent. */
    default void load(Endpoint initiator, RemoteBuffer target, long seed) {}

    /** On the initiator: posts the operation under {@link Endpoint#WORK}, signaled, and returns the post's status. */
    int post(Endpoint initiator, RemoteBuffer target, long seed);

    /** On the initiator: returns what differs from what must be, null for nothing. */
    default @Nullable String check(Endpoint initiator, Arrival completion, long seed) {
        return null;
    }

    /** On the initiator: returns memory that the responder needs to verify, null for none. */
    default @Nullable RemoteBuffer offer(Endpoint initiator) {
        return null;
    }

    /** On the responder: returns what differs from what must be, null for nothing. */
    default @Nullable String verify(Endpoint responder, @Nullable RemoteBuffer offered, long seed) {
        return null;
    }
}
