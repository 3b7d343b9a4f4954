package org.panamaverbs.ibverbs.cm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;

/** {@code struct sockaddr_in} and {@code sockaddr_in6}, and addresses for messages. */
final class SocketAddresses {
    // bits/socket.h
    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;

    // netinet/in.h
    private static final long FAMILY = 0;
    private static final long PORT = 2;
    private static final long IPV4 = 4;
    private static final long IPV6 = 8;
    private static final long SCOPE = 24;
    private static final long SIZE = 28;

    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private static final ValueLayout.OfShort BIG_ENDIAN_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private SocketAddresses() {}

    /** Returns {@code address}, which is resolved, as C has it. */
    static MemorySegment encode(InetSocketAddress address, SegmentAllocator allocator) {
        MemorySegment result = allocator.allocate(SIZE, Long.BYTES);
        byte[] octets = address.getAddress().getAddress();
        boolean v4 = address.getAddress() instanceof Inet4Address;
        result.set(ValueLayout.JAVA_SHORT, FAMILY, v4 ? AF_INET : AF_INET6);
        result.set(BIG_ENDIAN_SHORT, PORT, (short) address.getPort());
        MemorySegment.copy(octets, 0, result, ValueLayout.JAVA_BYTE, v4 ? IPV4 : IPV6, octets.length);
        if (address.getAddress() instanceof Inet6Address v6) {
            result.set(ValueLayout.JAVA_INT, SCOPE, v6.getScopeId());
        }
        return result;
    }

    /** Returns what {@code address}, a {@code struct sockaddr_storage}, holds; null if that is no IP address. */
    static @Nullable InetSocketAddress decode(MemorySegment address) {
        short family = address.get(ValueLayout.JAVA_SHORT, FAMILY);
        int port = Short.toUnsignedInt(address.get(BIG_ENDIAN_SHORT, PORT));
        try {
            return switch (family) {
                case AF_INET ->
                    new InetSocketAddress(InetAddress.getByAddress(octets(address, IPV4, IPV4_BYTES)), port);
                case AF_INET6 -> {
                    byte[] octets = octets(address, IPV6, IPV6_BYTES);
                    int scope = address.get(ValueLayout.JAVA_INT, SCOPE);
                    yield new InetSocketAddress(
                            scope == 0
                                    ? InetAddress.getByAddress(octets)
                                    : Inet6Address.getByAddress(null, octets, scope),
                            port);
                }
                default -> null;
            };
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + IPV4_BYTES + " or " + IPV6_BYTES + " octets", e);
        }
    }

    /** Returns {@code address} for messages, without looking its name up. */
    static String text(InetSocketAddress address) {
        String host = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /**
     * Returns {@code address} with its name looked up if that is still to be done.
     *
     * @throws ConnectionException if the name is unknown
     */
    static InetSocketAddress resolved(String operation, InetSocketAddress address) {
        if (!address.isUnresolved()) {
            return address;
        }
        InetSocketAddress again = new InetSocketAddress(address.getHostString(), address.getPort());
        if (again.isUnresolved()) {
            throw new ConnectionException(
                    operation,
                    Reason.UNREACHABLE,
                    "the host name " + address.getHostString() + " does not resolve",
                    null);
        }
        return again;
    }

    private static byte[] octets(MemorySegment address, long offset, int length) {
        return address.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }
}
