package org.panamaverbs.sockets.stream;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.ResourceException;

/** What a program of {@code java.nio} is told of what verbs say. */
final class ConnectFailures {
    // asm-generic/errno-base.h
    private static final int EPERM = 1;
    private static final int EACCES = 13;

    private ConnectFailures() {}

    /** Returns what {@code failure} of a listener that was to be opened is to a program of TCP. */
    static IOException binding(RuntimeException failure) {
        if (!(failure instanceof ConnectionException) && !(failure instanceof DeadlineExceededException)) {
            return of(failure);
        }
        // A listener has no peer: what fails is to bind, whatever the reason.
        IOException told = new BindException(failure.getMessage());
        told.initCause(failure);
        return told;
    }

    /** Returns what {@code failure} of a set-up is to a program of TCP. */
    static IOException of(RuntimeException failure) {
        IOException told = switch (failure) {
            case ConnectionException e ->
                switch (e.reason()) {
                    case REFUSED, REJECTED -> new ConnectException("Connection refused: " + e.getMessage());
                    case UNREACHABLE -> new NoRouteToHostException(e.getMessage());
                    case ADDRESS_IN_USE -> new BindException(e.getMessage());
                    case RESET -> new SocketException("Connection reset: " + e.getMessage());
                    default -> new ConnectException(e.getMessage());
                };
            case DeadlineExceededException e -> new ConnectException("Connection timed out: " + e.getMessage());
            case ResourceException e -> lacking(e);
            default -> new IOException(failure.getMessage());
        };
        told.initCause(failure);
        return told;
    }

    private static IOException lacking(ResourceException failure) {
        // The port to bind needs a privilege.
        boolean denied = failure.errno() == EACCES || failure.errno() == EPERM;
        return denied ? new BindException(failure.getMessage()) : new SocketException(failure.getMessage());
    }
}
