package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.Nullable;

/**
 * How far a work request of the send queue is. One table holds every transition; what is not in it does not happen.
 *
 * <pre>
 *   POSTED --send--> SENT --finish--> DONE
 *      |              |
 *      +----fail------+-----------> FAILED
 * </pre>
 */
enum RequestState {
    /** The request waits to be sent. */
    POSTED,
    /** The whole request is in a batch of segments, or waits for its response. */
    SENT,
    /** The request is complete with success. */
    DONE,
    /** The request is complete with an error. */
    FAILED;

    /** What can happen to a work request. */
    public enum Event {
        /** Its last segment, or the request to the peer, is in a batch. */
        SEND,
        /** The batch is written, or the response is placed. */
        FINISH,
        /** It has an error; the one found last is reported. */
        FAIL
    }

    /** Returns the state after {@code event}, null if it cannot happen here. */
    public @Nullable RequestState after(Event event) {
        return switch (event) {
            case SEND -> this == POSTED ? SENT : null;
            case FINISH -> this == SENT ? DONE : null;
            case FAIL -> this == DONE ? null : FAILED;
        };
    }
}
