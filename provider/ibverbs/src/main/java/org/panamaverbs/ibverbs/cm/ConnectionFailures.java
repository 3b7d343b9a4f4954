package org.panamaverbs.ibverbs.cm;

import java.net.InetSocketAddress;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.call.Failure;

/**
 * What failed calls and events of the connection manager mean to the application.
 *
 * @param operation what the application does: connect, accept or listen
 * @param device the device's name
 * @param iwarp true if the device speaks iWARP
 * @param address the peer's address, a listener's own
 * @param heard true if the peer has asked or answered: what is no longer possible then, it has taken back
 */
public record ConnectionFailures(
        String operation, String device, boolean iwarp, InetSocketAddress address, boolean heard) {
    private static final byte[] NOTHING = new byte[0];

    // linux/errno.h of the numbers that Errno has no name for.
    private static final int ECONNABORTED = 103;

    /** Returns what failures mean once the peer has asked or answered. */
    public ConnectionFailures whenHeard() {
        return new ConnectionFailures(operation, device, iwarp, address, true);
    }

    /** Returns why {@code call} failed with {@code errno}. */
    public VerbsException call(String call, int errno) {
        String what = call + " " + text() + " on device " + device + ": " + Errno.describe(errno) + "; ";
        return switch (errno) {
            case Errno.ECONNREFUSED -> failure(Reason.REFUSED, what + "no listener at that address");
            case Errno.ECONNRESET, ECONNABORTED -> failure(Reason.RESET, what + "the peer gave up or was closed");
            case Errno.ETIMEDOUT, Errno.EHOSTUNREACH, Errno.ENETUNREACH ->
                failure(
                        Reason.UNREACHABLE,
                        what + "the host does not answer, or there is no route to it; remedy: check `ip route`");
            case Errno.EADDRINUSE ->
                failure(
                        Reason.ADDRESS_IN_USE,
                        what + "the local address and port are in use; remedy: choose another port, or 0 for any");
            case Errno.EADDRNOTAVAIL ->
                failure(
                        Reason.UNREACHABLE,
                        what + "no interface of this machine has the local address; remedy:"
                                + " choose an address that `ip addr` shows");
            case Errno.ENODEV, Errno.ENOENT -> failure(Reason.UNREACHABLE, what + noDevice());
            default -> unusual(call, errno, what);
        };
    }

    private VerbsException unusual(String call, int errno, String what) {
        // cm.c, cma.c: an id whose peer has rejected or gone is in another state than the call needs.
        if (heard && errno == Errno.EINVAL) {
            return failure(Reason.RESET, what + "the peer has given up");
        }
        if (iwarp && errno == Errno.ENOMEM) {
            return failure(
                    Reason.NEGOTIATION,
                    what + "the read depths exceed what the device or the peer supports;"
                            + " remedy: connect with smaller depths (ConnectionConfig.withDepths)");
        }
        String object = text() + " on device " + device;
        // The kernel's cma.c, cma_get_port(): the port asked for is below net.ipv4.ip_unprivileged_port_start.
        boolean binds = call.equals(CmCalls.BIND_ADDR.name()) || call.equals(CmCalls.RESOLVE_ADDR.name());
        return binds && errno == Errno.EACCES
                ? Failure.of(
                        call,
                        object,
                        errno,
                        "choose a local port from 1024 on, or give the process CAP_NET_BIND_SERVICE")
                : Failure.of(call, object, errno);
    }

    /** Returns why the set-up failed, which {@code event} ended. */
    public VerbsException event(CmEvent event) {
        String what = "RDMA_CM_EVENT_" + event.type() + " for " + text() + " on device " + device;
        return switch (event.type()) {
            case ADDR_ERROR ->
                failure(
                        Reason.UNREACHABLE,
                        what + status(event) + "the address does not resolve: " + addressHint(event));
            case ROUTE_ERROR ->
                failure(
                        Reason.UNREACHABLE,
                        what + status(event)
                                + "there is no path to the peer; remedy: check `ip route`, and on InfiniBand the"
                                + " subnet manager");
            case UNREACHABLE ->
                failure(
                        Reason.UNREACHABLE,
                        what + status(event) + "the peer does not answer; remedy: check that its device is up, and"
                                + " that "
                                + (iwarp ? "TCP" : "UDP port 4791 or the fabric") + " is open between the hosts");
            case REJECTED -> iwarp ? rejectedByIwarp(event, what) : rejectedByInfiniBand(event, what);
            case CONNECT_ERROR -> connectError(event, what);
            case DISCONNECTED -> failure(Reason.RESET, what + ": the peer closed during connection set-up");
            case DEVICE_REMOVAL -> failure(Reason.CLOSED, what + ": the device was removed");
            default -> failure(Reason.PROTOCOL, what + " was not expected in this state");
        };
    }

    /** Returns why {@code address} cannot be served here: it belongs to another device. */
    public ConnectionException otherDevice(String other, InetSocketAddress local) {
        return failure(
                Reason.UNREACHABLE,
                text() + " is on device " + other + " (local address " + SocketAddresses.text(local) + "), but device "
                        + device + " is open; remedy: open " + other + ", or use an address that `rdma link` shows on"
                        + " the network interface of " + device);
    }

    /** Returns an exception with {@code message}. */
    ConnectionException failure(Reason reason, String message) {
        return new ConnectionException(operation, reason, message, null);
    }

    private ConnectionException connectError(CmEvent event, String what) {
        // Drivers of iWARP devices report all that goes wrong with the MPA frames this way, siw always as EINVAL.
        return iwarp
                ? failure(
                        Reason.NEGOTIATION,
                        what + status(event) + "the peer's MPA reply cannot be accepted: read depths (IRD, ORD),"
                                + " ready-to-receive mode, or not an MPA frame; remedy: check `dmesg` for the cause,"
                                + " and the depths of both sides")
                : failure(Reason.PROTOCOL, what + status(event) + "the peer's reply is invalid");
    }

    private ConnectionException rejectedByIwarp(CmEvent event, String what) {
        // cma.c: cma_iw_handler() makes this event of ECONNREFUSED too, which drivers that do not connect within
        // rdma_connect have from TCP (erdma_cm.c), and cxgb4's process_mpa_reply() of a rejecting MPA reply as well.
        if (event.errno() == Errno.ECONNREFUSED && event.privateData().length == 0) {
            return failure(
                    Reason.REFUSED,
                    what + status(event) + "no listener at that address, or the peer rejected the request");
        }
        // siw: siw_cm.c reports a rejecting MPA reply, and a stream that ends before one, as ECONNRESET alike.
        String hint = event.privateData().length > 0
                ? "the peer's application rejected the request"
                : "the peer's application rejected the request, or closed the stream before it answered";
        return new ConnectionException(
                operation, Reason.REJECTED, what + status(event) + hint, event.privateData(), null, null);
    }

    private ConnectionException rejectedByInfiniBand(CmEvent event, String what) {
        RejectReason reason = RejectReason.of(event.status());
        boolean consumer = reason == RejectReason.CONSUMER_DEFINED;
        return new ConnectionException(
                operation,
                reason.meaning(),
                what + ", reason " + event.status() + " (" + reason.text() + ")",
                consumer ? event.privateData() : NOTHING,
                null,
                null);
    }

    private String addressHint(CmEvent event) {
        return event.errno() == Errno.ENODEV || event.errno() == Errno.EPERM
                ? noDevice()
                : "the host does not answer (ARP or neighbour discovery), or there is no route to it; remedy: check"
                        + " `ip route`";
    }

    private String noDevice() {
        return "no RDMA device has that address; remedy: check `rdma link`, and that a RoCE port has a GID of its"
                + " interface's address (`verbs devinfo -v`)";
    }

    private static String status(CmEvent event) {
        return event.status() == 0 ? ": " : ", status " + event.status() + " (" + Errno.describe(event.errno()) + "): ";
    }

    private String text() {
        return SocketAddresses.text(address);
    }
}
