package org.panamaverbs.iwarp.engine.cm;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.iwarp.engine.transport.SocketErrors;

/** How the set-up of a connection ended, for those who ask later. Written by the event loop's thread, read by any. */
final class SetupOutcome {
    /** What is said where there was no memory. */
    static final String NO_MEMORY = "internal error: out of memory; to do: give the Java virtual machine more (-Xmx)";

    /** Why a set-up ended that nobody wants any more; nobody hears of it. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // dropping needs no memory, which may be what lacks
    static final ConnectionException DROPPED =
            withoutStack(new ConnectionException("accept", Reason.CLOSED, "the request was dropped", null));

    /** Why a set-up ended for which there was no memory to say why; whoever hears of it says it anew. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // made beforehand for the same reason
    static final ConnectionException OUT_OF_MEMORY =
            withoutStack(new ConnectionException("connect", Reason.CLOSED, NO_MEMORY, null));

    private volatile @Nullable ConnectionException failure;
    private volatile String missing = "";

    // It would show where this class was initialized, in the log, too.
    private static ConnectionException withoutStack(ConnectionException made) {
        made.setStackTrace(new StackTraceElement[0]);
        return made;
    }

    /** Returns what is said of {@code cause}, which no peer and no network is to blame for. */
    static String internal(Throwable cause) {
        return "internal error: " + cause + "; to do: report it with the stack of its cause";
    }

    /** Notes that it ended without an agreement, and returns why: only the first reason counts. */
    ConnectionException failed(ConnectionException reason) {
        ConnectionException first = failure;
        if (first == null) {
            first = reason;
            failure = reason;
        }
        return first;
    }

    /** Tells whether it ended without an agreement. */
    boolean hasFailed() {
        return failure != null;
    }

    /** Notes what an initiator that is cancelled has not reached. */
    void lacks(String what) {
        missing = what;
    }

    /** Returns what an initiator that was cancelled had not reached, empty if it was not cancelled. */
    String missing() {
        return missing;
    }

    /** Returns why the request of {@code peer} cannot be answered by {@code operation} any more. */
    ConnectionException gone(String operation, InetSocketAddress peer) {
        ConnectionException why = failure;
        try {
            return why != null ? why : SocketErrors.answered(operation, peer);
        } catch (OutOfMemoryError e) {
            return OUT_OF_MEMORY;
        }
    }
}
