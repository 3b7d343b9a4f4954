package org.panamaverbs.ibverbs.cm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Sockaddr;

/** Addresses for C and for messages. */
public final class SocketAddresses {
    private SocketAddresses() {}

    /** Returns {@code address}, which is resolved, as C has it. */
    public static MemorySegment encode(InetSocketAddress address, SegmentAllocator allocator) {
        MemorySegment result = allocator.allocate(Sockaddr.MAX_BYTES, Long.BYTES);
        Sockaddr.encode(address, result);
        return result;
    }

    /** Returns what {@code address}, a {@code struct sockaddr_storage}, holds; null if that is no IP address. */
    static @Nullable InetSocketAddress decode(MemorySegment address) {
        return Sockaddr.decode(address).orElse(null);
    }

    /** Returns {@code address} for messages, without looking its name up. */
    public static String text(InetSocketAddress address) {
        String host = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
