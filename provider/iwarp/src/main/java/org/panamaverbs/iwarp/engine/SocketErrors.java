package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.TerminateReason;
import org.panamaverbs.iwarp.core.MpaStartup;
import org.panamaverbs.iwarp.core.MpaStartup.FailureReason;

/** What failures of sockets and of the set-up mean to the application. */
final class SocketErrors {
    private static final String REVISION_HINT =
            "; a peer that does not speak MPA revision 2 does that: try the option revision=1";

    private SocketErrors() {}

    /** Returns why {@code peer} could not be connected to. */
    static ConnectionException connecting(InetSocketAddress peer, Exception cause) {
        if (lower(cause).contains("reset")) {
            // It was accepted, and reset before this side had a look.
            String what = text(peer) + " ended the connection at once: " + message(cause);
            return new ConnectionException("connect", Reason.RESET, what, cause);
        }
        boolean refused = cause instanceof ConnectException && lower(cause).contains("refused");
        String what =
                refused ? "nobody listens at " + text(peer) : text(peer) + " cannot be reached: " + message(cause);
        return new ConnectionException("connect", refused ? Reason.REFUSED : Reason.UNREACHABLE, what, cause);
    }

    /** Returns why {@code local} could not be bound. */
    static ConnectionException binding(String operation, InetSocketAddress local, Exception cause) {
        boolean taken = cause instanceof BindException && lower(cause).contains("in use");
        return new ConnectionException(
                operation,
                taken ? Reason.ADDRESS_IN_USE : Reason.UNREACHABLE,
                "the local address " + text(local) + " cannot be bound: " + message(cause),
                cause);
    }

    /** Returns why the connection to {@code peer} broke while it was set up. */
    static ConnectionException broken(String operation, InetSocketAddress peer, Exception cause) {
        if (cause instanceof SSLException tls) {
            return TlsErrors.failed(operation, peer, tls);
        }
        String hint = operation.equals("connect") ? REVISION_HINT : "";
        return new ConnectionException(
                operation, Reason.RESET, "set-up with " + text(peer) + " failed: " + message(cause) + hint, cause);
    }

    /** Returns why the exchange of MPA frames failed. */
    static ConnectionException setup(String operation, InetSocketAddress peer, MpaStartup startup) {
        MpaStartup.@Nullable Failure failure = startup.failure();
        if (failure == null) {
            return new ConnectionException(operation, Reason.PROTOCOL, "set-up with " + text(peer) + " failed", null);
        }
        boolean closed = failure.reason() == FailureReason.CLOSED;
        String hint = closed && operation.equals("connect") ? REVISION_HINT : "";
        return new ConnectionException(
                operation,
                closed ? Reason.RESET : Reason.PROTOCOL,
                "set-up with " + text(peer) + " failed: " + failure.text() + hint,
                null);
    }

    /** Returns {@code address} for messages, without looking its name up. */
    static String text(InetSocketAddress address) {
        String host = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** Returns what became of an established connection whose socket failed so, as far as the system's words tell. */
    static TerminateReason lost(IOException failure) {
        return switch (lower(failure)) {
            case "connection reset", "connection reset by peer", "broken pipe" -> TerminateReason.PEER_RESET;
            case "connection timed out", "operation timed out", "no route to host", "host is down" ->
                TerminateReason.PEER_SILENT;
            default -> TerminateReason.MPA_CONNECTION_LOST;
        };
    }

    private static String lower(Exception cause) {
        return message(cause).toLowerCase(Locale.ROOT);
    }

    /** Returns the words of {@code cause}, or its name if it has none. */
    static String message(Exception cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
