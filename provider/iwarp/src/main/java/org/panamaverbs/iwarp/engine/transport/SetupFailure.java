package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.cm.TerminateReason;

/** What ended a set-up of which no system call says why; the message has the remedy where the reason has none. */
public final class SetupFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Creates a failure for {@code reason}. */
    public SetupFailure(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /**
     * Returns that shared memory is required and not available, as {@code what} says.
     *
     * @param reason {@link Reason#CLOSED} if this side lacks resources, {@link Reason#RESET} if the peer does or has
     *     ended the set-up, {@link Reason#NEGOTIATION} if a retry cannot succeed
     */
    static SetupFailure noSharedMemory(Reason reason, String what) {
        String orTcp = ", or set shm=auto, which falls back to TCP";
        if (what.contains("; remedy: ")) {
            // What failed knows better.
            return new SetupFailure(reason, what + orTcp);
        }
        String remedy = switch (reason) {
            case CLOSED -> "free what this side lacks and connect again";
            case RESET -> "check the peer's log and connect again";
            default -> "change it on the side that the message names";
        };
        return new SetupFailure(reason, what + "; remedy: " + remedy + orTcp);
    }

    /** Returns the reason for {@link #noSharedMemory} where {@code cause} ended the set-up of shared memory. */
    static Reason ofSharing(IOException cause) {
        if (cause instanceof SetupFailure failure) {
            return failure.reason();
        }
        // Calls at Unix sockets and memory files fail with the name of the error.
        String message = SocketErrors.message(cause);
        if (!SocketErrors.lacking(cause).isEmpty() || message.contains("ETOOMANYREFS")) {
            return Reason.CLOSED;
        }
        boolean gone = SocketErrors.lost(cause) == TerminateReason.PEER_RESET
                || message.contains("EPIPE")
                || message.contains("ECONNREFUSED");
        return gone ? Reason.RESET : Reason.NEGOTIATION;
    }

    /** Returns what it means to the application. */
    Reason reason() {
        return reason;
    }
}
