package org.panamaverbs.spi.support;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Collectors;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;

/**
 * Converts addresses from applications into those for sockets: the wildcard address as a destination is this host, as
 * in TCP on all systems; a link-local address gets its scope (RFC 4007 §6). A provider whose sockets behave like the
 * JDK's has IPv4 only if {@link #isIpv4Only()}; the JDK then lists no IPv6 address. Addresses must be resolved, see
 * {@link HostNames}.
 */
public final class HostAddresses {
    /** A network interface that is up. */
    record Link(String name, int index, boolean loopback, List<InetAddress> addresses) {
        // Of two addresses of IPv6, equals() leaves the scopes out.
        boolean has(InetAddress address) {
            return addresses.contains(address);
        }

        boolean hasLinkLocal() {
            return !loopback
                    && addresses.stream().anyMatch(own -> own instanceof Inet6Address && own.isLinkLocalAddress());
        }
    }

    private static final InetAddress ANY_4 = InetAddress.ofLiteral("0.0.0.0");
    private static final InetAddress ANY_6 = InetAddress.ofLiteral("::");
    private static final InetAddress LOOPBACK_4 = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress LOOPBACK_6 = InetAddress.ofLiteral("::1");

    private final boolean ipv4Only;
    private final List<Link> links;

    HostAddresses(boolean ipv4Only, List<Link> links) {
        this.ipv4Only = ipv4Only;
        this.links = links;
    }

    /**
     * Returns whether the JDK's sockets in this process are limited to IPv4 ({@code -Djava.net.preferIPv4Stack=true}).
     */
    public static boolean isIpv4Only() {
        return Boolean.getBoolean("java.net.preferIPv4Stack");
    }

    /**
     * Returns the destination of a connection to {@code address}: loopback for the wildcard address, of the same family
     * unless this host has no IPv6; with the scope of a link-local address if only one interface can be meant.
     *
     * @param operation the purpose of the address, for exceptions
     * @param ipv4Only whether the provider has no IPv6
     * @throws ConnectionException with {@link Reason#UNREACHABLE} if the scope is missing and ambiguous, or the
     *     provider has no IPv6
     */
    public static InetSocketAddress destination(String operation, InetSocketAddress address, boolean ipv4Only) {
        if (saysAll(address, ipv4Only)) {
            return address;
        }
        return isUnlisted(address, ipv4Only)
                ? new InetSocketAddress(LOOPBACK_6, address.getPort())
                : ofThisHost(operation, ipv4Only).destinationOf(operation, address);
    }

    /**
     * Returns the address to bind for the local {@code address}: with the scope of a link-local address; the IPv4
     * wildcard address if the provider has no IPv6.
     *
     * @param operation the purpose of the address, for exceptions
     * @param ipv4Only whether the provider has no IPv6
     * @throws ConnectionException with {@link Reason#UNREACHABLE} if the scope is missing and ambiguous, or the
     *     provider has no IPv6
     */
    public static InetSocketAddress bound(String operation, InetSocketAddress address, boolean ipv4Only) {
        return saysAll(address, ipv4Only)
                ? address
                : ofThisHost(operation, ipv4Only).boundOf(operation, address);
    }

    /**
     * Returns the address to bind for {@code local} to connect to {@code destination}: as {@link #bound}, with the
     * wildcard address of the destination's family.
     *
     * @param operation the purpose of the addresses, for exceptions
     * @param ipv4Only whether the provider has no IPv6
     * @throws ConnectionException as {@link #bound}, and with the same reason if the families differ
     */
    public static InetSocketAddress source(
            String operation, InetSocketAddress local, InetSocketAddress destination, boolean ipv4Only) {
        boolean ipv6 = destination.getAddress() instanceof Inet6Address;
        if (local.getAddress() instanceof Inet6Address == ipv6) {
            return bound(operation, local, ipv4Only);
        }
        if (local.getAddress().isAnyLocalAddress()) {
            return new InetSocketAddress(ipv6 ? ANY_6 : ANY_4, local.getPort());
        }
        throw unreachable(
                operation,
                "there is no route from the local address " + local.getAddress().getHostAddress() + " to "
                        + destination.getAddress().getHostAddress() + ", which has another address family; remedy:"
                        + " choose a local address of IPv" + (ipv6 ? 6 : 4));
    }

    // The interfaces are asked for what needs them: no other connection waits for that.
    private static boolean saysAll(InetSocketAddress address, boolean ipv4Only) {
        InetAddress host = address.getAddress();
        if (host.isAnyLocalAddress()) {
            return false;
        }
        return !(host instanceof Inet6Address six) || (!ipv4Only && !lacksScope(six)) || isUnlisted(address, ipv4Only);
    }

    // Whether it may be an address of this host though the JDK lists none of IPv6.
    private static boolean isUnlisted(InetSocketAddress address, boolean ipv4Only) {
        return address.getAddress() instanceof Inet6Address && !ipv4Only && isIpv4Only();
    }

    private static boolean lacksScope(Inet6Address address) {
        return address.isLinkLocalAddress() && address.getScopeId() == 0;
    }

    private static HostAddresses ofThisHost(String operation, boolean ipv4Only) {
        try {
            return new HostAddresses(
                    ipv4Only,
                    NetworkInterface.networkInterfaces()
                            .filter(HostAddresses::isUp)
                            .map(HostAddresses::link)
                            .toList());
        } catch (SocketException e) {
            throw new ConnectionException(
                    operation,
                    Reason.CLOSED,
                    "the network interfaces cannot be listed: " + e.getMessage()
                            + "; remedy: check that the process may list them and has file descriptors left",
                    e);
        }
    }

    private static boolean isUp(NetworkInterface network) {
        try {
            return network.isUp();
        } catch (SocketException e) {
            // It went while it was asked.
            return false;
        }
    }

    private static Link link(NetworkInterface network) {
        List<InetAddress> addresses = network.inetAddresses().toList();
        boolean loopback = addresses.stream().anyMatch(InetAddress::isLoopbackAddress);
        return new Link(network.getName(), network.getIndex(), loopback, addresses);
    }

    InetSocketAddress destinationOf(String operation, InetSocketAddress address) {
        InetAddress host = address.getAddress();
        if (host.isAnyLocalAddress()) {
            boolean ipv6 =
                    host instanceof Inet6Address && !ipv4Only && links.stream().anyMatch(link -> link.has(LOOPBACK_6));
            return new InetSocketAddress(ipv6 ? LOOPBACK_6 : LOOPBACK_4, address.getPort());
        }
        return scoped(operation, address, false);
    }

    InetSocketAddress boundOf(String operation, InetSocketAddress address) {
        if (address.getAddress().isAnyLocalAddress()) {
            return ipv4Only ? new InetSocketAddress(ANY_4, address.getPort()) : address;
        }
        return scoped(operation, address, true);
    }

    private InetSocketAddress scoped(String operation, InetSocketAddress address, boolean own) {
        if (!(address.getAddress() instanceof Inet6Address host)) {
            return address;
        }
        if (ipv4Only) {
            throw unreachable(
                    operation,
                    "this process has no IPv6 for " + host.getHostAddress()
                            + ": it runs with -Djava.net.preferIPv4Stack=true; remedy: use an IPv4 address, or run"
                            + " without java.net.preferIPv4Stack");
        }
        if (!lacksScope(host)) {
            return address;
        }
        List<Link> fitting = links.stream().filter(link -> link.has(host)).toList();
        if (fitting.isEmpty() && !own) {
            fitting = links.stream().filter(Link::hasLinkLocal).toList();
        }
        if (fitting.size() != 1) {
            throw lacksScope(operation, host, fitting, own);
        }
        // TLS compares the name with the peer's certificate; an address without one is its own text.
        String text = address.getHostString();
        String name = text.equals(host.getHostAddress()) ? null : text;
        try {
            Inet6Address scoped = Inet6Address.getByAddress(
                    name, host.getAddress(), fitting.getFirst().index());
            return new InetSocketAddress(scoped, address.getPort());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an IPv6 address has 16 bytes", e);
        }
    }

    private static ConnectionException lacksScope(
            String operation, Inet6Address host, List<Link> fitting, boolean own) {
        String text = host.getHostAddress();
        String what = "the link-local address " + text + " needs a scope: ";
        if (fitting.isEmpty()) {
            return unreachable(
                    operation,
                    what + "no interface of this machine has " + (own ? "it" : "a link-local address")
                            + "; remedy: choose another address, see `ip addr`");
        }
        return unreachable(
                operation,
                what + fitting.size() + " interfaces match; remedy: name the interface: "
                        + fitting.stream().map(link -> text + "%" + link.name()).collect(Collectors.joining(" or ")));
    }

    private static ConnectionException unreachable(String operation, String what) {
        return new ConnectionException(operation, Reason.UNREACHABLE, what, null);
    }
}
