package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.Nullable;

/**
 * The state of a stream. One table holds every transition; what is not in it does not happen.
 *
 * <pre>{@code
 * IDLE --start--> ESTABLISHED --disconnect, peer's FIN--> DRAINING --drained--> CLOSING --peer's FIN--> CLOSED
 *                      |  |                                  |  |
 *                      |  +--fault--> TERMINATING <--fault---+  |
 *                      |                  |Terminate sent       |
 *                      +--Terminate received--> LINGERING <-----+   --peer's FIN, timeout--> CLOSED
 * }</pre>
 */
public enum StreamState {
    /** Not connected; receives may be posted. */
    IDLE,
    /** Full operation. */
    ESTABLISHED,
    /** Closing gracefully: what was posted before is still sent and awaited. */
    DRAINING,
    /** All is sent and our FIN is out; the peer may still send. */
    CLOSING,
    /** A fault was found; the Terminate is being sent. */
    TERMINATING,
    /**
     * A Terminate was sent or received; input is discarded until the peer's FIN so that no reset overtakes the
     * Terminate.
     */
    LINGERING,
    /** Over. */
    CLOSED;

    /** What can happen to a stream. */
    public enum Event {
        /** The connection is set up. */
        START,
        /** The application disconnects. */
        DISCONNECT,
        /** Everything posted before the disconnect is sent and answered. */
        DRAINED,
        /** This side found a fault. */
        FAULT,
        /** The peer's Terminate arrived. */
        TERMINATE_RECEIVED,
        /** Our Terminate left. */
        TERMINATE_SENT,
        /** The peer's FIN arrived. */
        FIN_RECEIVED,
        /** TCP is reset or failed. */
        LOST,
        /** The application aborts. */
        ABORT,
        /** The peer did not follow in time. */
        TIMEOUT
    }

    /** Returns the state after {@code event}, this state if it changes nothing, null if it cannot happen here. */
    public @Nullable StreamState after(Event event) {
        return switch (event) {
            case START -> this == IDLE ? ESTABLISHED : null;
            case DISCONNECT -> this == ESTABLISHED ? DRAINING : this == IDLE ? CLOSED : this;
            case DRAINED -> this == DRAINING ? CLOSING : null;
            case FAULT -> afterFault();
            case TERMINATE_RECEIVED -> afterTerminate();
            case TERMINATE_SENT -> this == TERMINATING ? LINGERING : null;
            case FIN_RECEIVED -> afterFin();
            case LOST, ABORT -> CLOSED;
            case TIMEOUT -> this == CLOSING || this == TERMINATING || this == LINGERING ? CLOSED : null;
        };
    }

    private @Nullable StreamState afterFault() {
        return switch (this) {
            case IDLE, CLOSING, CLOSED -> CLOSED;
            case ESTABLISHED, DRAINING, TERMINATING -> TERMINATING;
            case LINGERING -> LINGERING;
        };
    }

    private @Nullable StreamState afterTerminate() {
        return switch (this) {
            case IDLE, CLOSED -> null;
            case ESTABLISHED, DRAINING, LINGERING -> LINGERING;
            case TERMINATING -> TERMINATING;
            case CLOSING -> CLOSED;
        };
    }

    private @Nullable StreamState afterFin() {
        return switch (this) {
            case IDLE -> null;
            case ESTABLISHED, DRAINING -> DRAINING;
            case TERMINATING -> TERMINATING;
            case CLOSING, LINGERING, CLOSED -> CLOSED;
        };
    }

    /** Tells whether anything new may be sent. */
    public boolean transmits() {
        return this == ESTABLISHED || this == DRAINING || this == TERMINATING;
    }

    /** Tells whether work requests are carried out, as in verbs' RTS. */
    public boolean operational() {
        return this == ESTABLISHED || this == DRAINING;
    }

    /** Tells whether what is posted is flushed at once, as in verbs' ERROR. */
    public boolean flushesSends() {
        return this == CLOSING || flushesReceives();
    }

    /** Tells whether receives are flushed at once. */
    public boolean flushesReceives() {
        return this == TERMINATING || this == LINGERING || this == CLOSED;
    }

    /** Tells whether the peer has only so long to close. */
    public boolean awaitsPeer() {
        return this == CLOSING || this == TERMINATING || this == LINGERING;
    }
}
