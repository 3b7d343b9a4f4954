package org.panamaverbs.iwarp.core.stream;

import org.panamaverbs.iwarp.core.work.StreamState;

/**
 * How far the transport of a stream is at its end, in both directions. Whoever hears of a step stores it here, as one
 * that follows may fail and be repeated: the fields are {@link Lifecycle}'s.
 */
final class TransportEnds {
    /** Whether the end of this side's octets has left the transport. */
    boolean outputShut;

    /** Whether the end of the peer's octets is here. */
    boolean inputEnded;

    /** What the peer's TCP has not acknowledged as of the last look, in octets; negative where nobody can tell. */
    long unacknowledged;

    /** Whether there is no transport: not yet, or not any longer. */
    boolean closed = true;

    /** Whether the stream was closed for a reason that resets the connection, in place of closing it. */
    boolean abort;

    /** Tells whether all has gone both ways, and has arrived as far as anybody can tell. */
    boolean isDone() {
        return outputShut && inputEnded && unacknowledged <= 0;
    }

    /** Returns what is to be done to the transport of a stream in {@code state}; {@code allSent} as of now. */
    CloseAction action(StreamState state, boolean allSent) {
        if (closed) {
            return CloseAction.NONE;
        }
        if (state == StreamState.CLOSED) {
            return abort ? CloseAction.ABORT : CloseAction.CLOSE;
        }
        boolean shut = state == StreamState.CLOSING || state == StreamState.LINGERING;
        return shut && !outputShut && allSent ? CloseAction.SHUTDOWN_OUTPUT : CloseAction.NONE;
    }
}
