package org.panamaverbs.bindings;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.Optional;

/** {@code struct sockaddr_in} and {@code struct sockaddr_in6} (man pages ip(7) and ipv6(7)). */
public final class Sockaddr {
    /** The size of the larger of the two, in bytes. */
    public static final long MAX_BYTES = 28;

    // bits/socket.h
    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;

    // netinet/in.h
    private static final long FAMILY = 0;
    private static final long PORT = 2;
    private static final long IPV4 = 4;
    private static final long IPV6 = 8;
    private static final long SCOPE = 24;
    private static final int IPV4_STRUCT_BYTES = 16;
    private static final int IPV6_STRUCT_BYTES = 28;

    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private static final ValueLayout.OfShort NATIVE_SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfShort BIG_ENDIAN_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Sockaddr() {}

    /**
     * Stores {@code address} as C has it, in the structure of its family.
     *
     * @param address resolved
     * @param target at least {@link #MAX_BYTES} bytes
     * @return the length of the structure in bytes
     */
    public static int encode(InetSocketAddress address, MemorySegment target) {
        byte[] octets = address.getAddress().getAddress();
        boolean v4 = address.getAddress() instanceof Inet4Address;
        target.asSlice(0, MAX_BYTES).fill((byte) 0);
        target.set(NATIVE_SHORT, FAMILY, v4 ? AF_INET : AF_INET6);
        target.set(BIG_ENDIAN_SHORT, PORT, (short) address.getPort());
        MemorySegment.copy(octets, 0, target, ValueLayout.JAVA_BYTE, v4 ? IPV4 : IPV6, octets.length);
        if (address.getAddress() instanceof Inet6Address v6) {
            target.set(ValueLayout.JAVA_INT_UNALIGNED, SCOPE, v6.getScopeId());
        }
        return v4 ? IPV4_STRUCT_BYTES : IPV6_STRUCT_BYTES;
    }

    /**
     * Returns what {@code source}, a {@code struct sockaddr_storage} or as much of it as counts, holds; nothing if that
     * is no IP address. An IPv4 address that is mapped into IPv6 is returned as what it is.
     */
    public static Optional<InetSocketAddress> decode(MemorySegment source) {
        short family = source.get(NATIVE_SHORT, FAMILY);
        int port = Short.toUnsignedInt(source.get(BIG_ENDIAN_SHORT, PORT));
        try {
            return switch (family) {
                case AF_INET ->
                    Optional.of(
                            new InetSocketAddress(InetAddress.getByAddress(octets(source, IPV4, IPV4_BYTES)), port));
                case AF_INET6 -> {
                    byte[] octets = octets(source, IPV6, IPV6_BYTES);
                    int scope = source.get(ValueLayout.JAVA_INT_UNALIGNED, SCOPE);
                    InetAddress address = scope == 0
                            ? InetAddress.getByAddress(octets)
                            : Inet6Address.getByAddress(null, octets, scope);
                    yield Optional.of(new InetSocketAddress(address, port));
                }
                default -> Optional.empty();
            };
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + IPV4_BYTES + " or " + IPV6_BYTES + " bytes", e);
        }
    }

    private static byte[] octets(MemorySegment source, long offset, int length) {
        return source.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }
}
