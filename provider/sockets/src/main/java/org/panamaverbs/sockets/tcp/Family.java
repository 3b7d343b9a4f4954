package org.panamaverbs.sockets.tcp;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The addresses that a channel can have. */
public enum Family {
    /** Addresses of IPv4 alone: those of {@code StandardProtocolFamily.INET}, and of hosts without IPv6. */
    IPV4(StandardProtocolFamily.INET, "0.0.0.0"),

    /** Addresses of IPv6 and of IPv4. */
    BOTH(StandardProtocolFamily.INET6, "::");

    private final StandardProtocolFamily protocol;
    private final InetAddress any;

    Family(StandardProtocolFamily protocol, String any) {
        this.protocol = protocol;
        this.any = InetAddress.ofLiteral(any);
    }

    /** Returns the family as the JDK has it. */
    ProtocolFamily protocol() {
        return protocol;
    }

    /** Returns {@code address} as one to connect to: the wildcard is this host. */
    public InetSocketAddress remote(SocketAddress address) {
        InetSocketAddress inet = checked(Objects.requireNonNull(address));
        if (!inet.getAddress().isAnyLocalAddress()) {
            return inet;
        }
        String host = inet.getAddress() instanceof Inet4Address ? "127.0.0.1" : "::1";
        return new InetSocketAddress(InetAddress.ofLiteral(host), inet.getPort());
    }

    /** Returns {@code address} as one to bind; any if null. */
    public InetSocketAddress local(@Nullable SocketAddress address) {
        return address == null ? new InetSocketAddress(any, 0) : checked(address);
    }

    /** Returns where a connection to {@code remote} comes from, of the family of that; null for anywhere. */
    public static @Nullable InetSocketAddress from(@Nullable InetSocketAddress bound, InetSocketAddress remote) {
        if (bound == null || !bound.getAddress().isAnyLocalAddress()) {
            return bound;
        }
        Family family = remote.getAddress() instanceof Inet4Address ? IPV4 : BOTH;
        return new InetSocketAddress(family.any, bound.getPort());
    }

    private InetSocketAddress checked(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        if (this == IPV4 && !(inet.getAddress() instanceof Inet4Address)) {
            throw new UnsupportedAddressTypeException();
        }
        return inet;
    }
}
