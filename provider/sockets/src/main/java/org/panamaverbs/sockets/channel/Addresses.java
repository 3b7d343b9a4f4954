package org.panamaverbs.sockets.channel;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Addresses as the contracts of channels have them. */
final class Addresses {
    private Addresses() {}

    /** Returns {@code address} as one to connect to: the wildcard is this host. */
    static InetSocketAddress remote(SocketAddress address) {
        InetSocketAddress inet = checked(Objects.requireNonNull(address));
        return inet.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), inet.getPort())
                : inet;
    }

    /** Returns {@code address} as one to bind, any if null. */
    static InetSocketAddress local(@Nullable SocketAddress address) {
        return address == null ? new InetSocketAddress(0) : checked(address);
    }

    private static InetSocketAddress checked(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        return inet;
    }
}
