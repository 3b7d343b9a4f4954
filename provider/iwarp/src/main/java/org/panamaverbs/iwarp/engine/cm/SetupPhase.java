package org.panamaverbs.iwarp.engine.cm;

import org.jspecify.annotations.Nullable;

/**
 * What the set-up of one connection is at. One table holds every transition; what is not in it does not happen.
 *
 * <pre>{@code
 * NEW --connect--> CONNECTING --connected--> OPENING --opened--> EXCHANGING --taken--> HANDED_OVER
 *  |                    ^                    ^  |  |              ^  |  |
 *  |                    +------connect-------|--+  |      answered|  |asked
 *  +--connected (accepted by a listener)-----+     |              |  v  |
 *                                                  |            WAITING |
 *                                                  +----turned away-----+--> LINGERING --closed--> OVER
 *  each but LINGERING and the last two --failed--> ENDING --closed--> OVER
 * }</pre>
 */
enum SetupPhase {
    /** Nothing was begun. */
    NEW,
    /** Initiator: TCP connects. */
    CONNECTING,
    /** TLS or shared memory, where they are wanted, are set up; responder: also nothing has come yet. */
    OPENING,
    /** The frames of MPA are on their way, or all of them are sent and the stream takes the transport. */
    EXCHANGING,
    /** Responder: the request is here, and the application has not answered it. */
    WAITING,
    /** Responder: the peer is turned away, by a rejection or an alert of TLS, and has time to read it. */
    LINGERING,
    /** It has failed, and the transport is to be closed; what fails of that is tried again. */
    ENDING,
    /** Agreed, and the transport is the stream's. */
    HANDED_OVER,
    /** It has failed, or the peer was turned away; the transport is closed. */
    OVER;

    /** What can happen to a set-up. */
    enum Event {
        /** Initiator: TCP begins to connect, the first time or with another transport. */
        CONNECT,
        /** TCP is connected. */
        CONNECTED,
        /** The transport carries bytes. */
        OPENED,
        /** Responder: the peer's request is here. */
        ASKED,
        /** Responder: the application accepts or rejects. */
        ANSWERED,
        /** The stream has taken the transport. */
        TAKEN,
        /** Responder: the peer is told that there will be no connection. */
        TURNED_AWAY,
        /** The peer, the network or the provider failed, time is up, or nobody wants it any more. */
        FAILED,
        /** The transport is closed, and the owner has heard of the end. */
        CLOSED
    }

    /** Returns the phase after {@code event}, this phase if it changes nothing, null if it cannot happen here. */
    @Nullable
    SetupPhase after(Event event) {
        return switch (event) {
            case CONNECT -> this == NEW || this == OPENING ? CONNECTING : afterItsEnd();
            case CONNECTED -> this == NEW || this == CONNECTING ? OPENING : null;
            case OPENED -> this == OPENING ? EXCHANGING : null;
            case ASKED -> this == EXCHANGING ? WAITING : null;
            case ANSWERED -> this == WAITING ? EXCHANGING : null;
            case TAKEN -> this == EXCHANGING ? HANDED_OVER : null;
            case TURNED_AWAY -> this == OPENING || this == EXCHANGING ? LINGERING : null;
            case FAILED -> this == LINGERING || this == HANDED_OVER || this == OVER ? this : ENDING;
            case CLOSED -> this == LINGERING || this == ENDING ? OVER : null;
        };
    }

    // It may be given up before the loop comes to begin it.
    private @Nullable SetupPhase afterItsEnd() {
        return this == ENDING || this == OVER ? this : null;
    }
}
