package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.MpaStartup.FailureReason;
import org.panamaverbs.iwarp.wire.MpaFrame;

/** What failures of sockets and of the set-up mean to the application. */
public final class SocketErrors {
    private SocketErrors() {}

    /** Returns why {@code peer} could not be connected to. */
    public static ConnectionException connecting(InetSocketAddress peer, Exception cause) {
        if (lower(cause).contains("reset")) {
            // It was accepted, and reset before this side had a look.
            String what = Addresses.text(peer) + " ended the connection at once: " + message(cause);
            return new ConnectionException("connect", Reason.RESET, what, cause);
        }
        if (cause instanceof ConnectException && lower(cause).contains("refused")) {
            return new ConnectionException("connect", Reason.REFUSED, "no listener at " + Addresses.text(peer), cause);
        }
        String lacking = lacking(cause);
        String remedy = has(lower(cause), "cannot assign requested address")
                ? "; remedy: see `ip addr` for a local address of that family, and `ss -s` for how many ports are in"
                        + " use"
                : lacking;
        return new ConnectionException(
                "connect",
                lacking.isEmpty() ? Reason.UNREACHABLE : Reason.CLOSED,
                Addresses.text(peer) + " cannot be reached: " + message(cause) + remedy,
                cause);
    }

    /** Returns what to do where {@code cause} is a lack of this process or machine, empty where it is none. */
    static String lacking(Exception cause) {
        String words = lower(cause);
        if (isLackOfDescriptors(words)) {
            return "; remedy: raise the limit of open files (`ulimit -n`, `sysctl fs.file-max`)";
        }
        boolean memory = has(words, "enomem", "enobufs", "enospc")
                || has(words, "cannot allocate memory", "no buffer space available", "no space left on device");
        return memory ? "; remedy: give the process or its control group more memory, and check `sysctl fs.epoll`" : "";
    }

    // Each error has the words of NIO, and the name where LibcErrors has no words of NIO for it.
    private static boolean isLackOfDescriptors(String words) {
        return has(words, "too many open files", "emfile", "enfile");
    }

    /** Returns why {@code local} could not be bound. */
    public static VerbsException binding(String operation, InetSocketAddress local, Exception cause) {
        if (cause instanceof SetupFailure failure) {
            return new ConnectionException(
                    operation, failure.reason(), Addresses.text(local) + ": " + message(failure), failure);
        }
        String words = lower(cause);
        String what = "the local address " + Addresses.text(local) + " cannot be bound: " + message(cause);
        String lacking = lacking(cause);
        if (!lacking.isEmpty()) {
            int errno = isLackOfDescriptors(words) ? Errno.EMFILE : 0;
            return new ResourceException(operation, what + lacking, errno);
        }
        boolean denied = has(words, "permission denied", "eacces");
        if (denied || has(words, "operation not permitted", "eperm")) {
            return new ResourceException(
                    operation,
                    what
                            + "; remedy: choose a port from 1024 on, give the process CAP_NET_BIND_SERVICE, or check"
                            + " the security modules (an LSM, seccomp)",
                    denied ? Errno.EACCES : Errno.EPERM);
        }
        if (cause instanceof BindException && has(words, "in use")) {
            return new ConnectionException(
                    operation,
                    Reason.ADDRESS_IN_USE,
                    what + "; remedy: choose another port, or 0 for any, or end the process that has it (`ss -ltnp`)",
                    cause);
        }
        String remedy = "; remedy: see `ip addr` and `ss -ltnp` for the addresses and ports of this machine";
        if (has(words, "cannot assign requested address", "eaddrnotavail")) {
            remedy = "; remedy: choose an address of this machine (`ip addr`)";
        } else if (has(words, "eafnosupport", "ipv6 not available", "protocol family")) {
            remedy = "; remedy: use an IPv4 address, or enable IPv6 on this machine and in this process";
        }
        return new ConnectionException(operation, Reason.UNREACHABLE, what + remedy, cause);
    }

    /**
     * Returns why the connection to {@code peer} broke while it was set up.
     *
     * @param startup the exchange of MPA frames, null if it has not begun
     */
    public static ConnectionException broken(
            String operation, InetSocketAddress peer, IOException cause, @Nullable MpaStartup startup) {
        if (cause instanceof SSLException tls) {
            return TlsErrors.failed(operation, peer, tls);
        }
        Reason reason = cause instanceof SetupFailure failure ? failure.reason() : brokenBecause(cause);
        String remedy = "";
        if (reason == Reason.RESET && startup != null && operation.equals("connect")) {
            remedy = revisionHint(startup);
        } else if (reason == Reason.CLOSED && !(cause instanceof SetupFailure)) {
            remedy = lacking(cause);
        }
        return new ConnectionException(
                operation,
                reason,
                "set-up with " + Addresses.text(peer) + " failed: " + message(cause) + remedy,
                cause);
    }

    // Each system has its own words for a peer that resets: this side is at fault only where it is known to be.
    private static Reason brokenBecause(IOException cause) {
        if (lost(cause) == TerminateReason.PEER_SILENT) {
            return Reason.UNREACHABLE;
        }
        return lacking(cause).isEmpty() ? Reason.RESET : Reason.CLOSED;
    }

    /**
     * Returns what helps against a listener that ends the connection at {@code startup}'s Request, where that may be.
     */
    private static String revisionHint(MpaStartup startup) {
        // RFC 6581 §10: who does not support the enhanced set-up closes, and sends no Reply.
        return startup.isEnhanced() && startup.bytesReceived() == 0
                ? ", as peers without MPA revision 2 do; remedy: check the peer's log, or set option revision=1"
                : "";
    }

    /** Returns that {@code peer}, which was to ask, has not done so in time; {@code lacking} is what it did. */
    public static ConnectionException late(String lacking, String operation, InetSocketAddress peer) {
        return new ConnectionException(
                operation, Reason.PROTOCOL, Addresses.text(peer) + " " + lacking + " before the deadline", null);
    }

    /**
     * Returns what a connect that was given up had not reached, since when, and what to look at.
     *
     * @param beganNanos when it began, of {@link System#nanoTime()}
     * @param connectNanos how long TCP took to connect, negative if it did not
     * @param lacking what the transport lacks, if it is that which is not open
     * @param replyOctets how much of the peer's MPA Reply is here, negative if the transport is not open
     */
    public static String missing(long beganNanos, long connectNanos, String lacking, int replyOctets) {
        long passed = System.nanoTime() - beganNanos;
        if (connectNanos < 0) {
            return "TCP did not connect in " + millis(passed)
                    + ": nothing answers there; remedy: check the address, routes and firewalls";
        }
        String since = "TCP connected after " + millis(connectNanos) + ", but ";
        String span = " in the " + millis(passed - connectNanos) + " since; remedy: check that ";
        if (replyOctets < 0) {
            return lacking.contains("TLS")
                    ? since + "TLS was not set up" + span + "an iWARP listener with TLS is at that port"
                    : since + "the listener " + lacking + span + "its process is alive";
        }
        if (replyOctets == MpaFrame.KEY_BYTES) {
            return since + "the application at the iWARP listener did not accept" + span
                    + "it takes its connection requests";
        }
        return since
                + (replyOctets == 0 ? "no MPA Reply came" : "only " + replyOctets + " bytes of an MPA Reply came")
                + span + "an iWARP listener is at that port and that its application accepts";
    }

    private static String millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
    }

    /** Returns why the exchange of MPA frames failed. */
    public static ConnectionException setup(String operation, InetSocketAddress peer, MpaStartup startup) {
        MpaStartup.@Nullable Failure failure = startup.failure();
        if (failure == null) {
            return new ConnectionException(
                    operation, Reason.PROTOCOL, "set-up with " + Addresses.text(peer) + " failed", null);
        }
        boolean closed = failure.reason() == FailureReason.CLOSED;
        boolean connecting = operation.equals("connect");
        String hint = "";
        if (closed && connecting) {
            hint = revisionHint(startup);
        } else if (failure.reason() == FailureReason.STRANGER) {
            hint = connecting
                    ? "; remedy: check address and port, and that an iWARP listener is there"
                    : "; remedy: check which program connects to this listener's port";
        }
        return new ConnectionException(
                operation,
                closed ? Reason.RESET : Reason.PROTOCOL,
                "set-up with " + Addresses.text(peer) + " failed: " + failure.text() + hint,
                null);
    }

    /** Returns that {@code peer} rejected the request, with what its Reply says. */
    public static ConnectionException rejected(String operation, InetSocketAddress peer, MpaStartup startup) {
        return new ConnectionException(
                operation,
                Reason.REJECTED,
                Addresses.text(peer) + " rejected the request",
                startup.peerPrivateData(),
                null,
                null,
                startup.peerOrd(),
                startup.peerIrd());
    }

    /** Returns that {@code peer}'s request has its answer already. */
    public static ConnectionException answered(String operation, InetSocketAddress peer) {
        return new ConnectionException(
                operation, Reason.CLOSED, "the request of " + Addresses.text(peer) + " was answered", null);
    }

    /** Returns what became of an established connection whose socket failed so, as far as the system's words tell. */
    public static TerminateReason lost(IOException failure) {
        String words = lower(failure);
        if (has(words, "connection reset", "econnreset", "broken pipe")) {
            return TerminateReason.PEER_RESET;
        }
        return has(words, "timed out", "no route to host", "host is down", "network is unreachable", "network is down")
                ? TerminateReason.PEER_SILENT
                : TerminateReason.MPA_CONNECTION_LOST;
    }

    private static boolean has(String words, String... parts) {
        return Stream.of(parts).anyMatch(words::contains);
    }

    private static String lower(Exception cause) {
        return message(cause).toLowerCase(Locale.ROOT);
    }

    /** Returns the words of {@code cause}, or its name if it has none. */
    public static String message(Exception cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
