package org.panamaverbs.ibverbs.cm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Sockaddr;
import org.panamaverbs.bindings.rdmacm.rdma_addr;
import org.panamaverbs.bindings.rdmacm.rdma_cm_id;
import org.panamaverbs.bindings.rdmacm.rdma_route;

/** Addresses for C and for messages. */
public final class SocketAddresses {
    private SocketAddresses() {}

    /** Returns {@code address}, which is resolved, as C has it. */
    public static MemorySegment encode(InetSocketAddress address, SegmentAllocator allocator) {
        MemorySegment result = allocator.allocate(Sockaddr.MAX_BYTES, Long.BYTES);
        Sockaddr.encode(address, result);
        return result;
    }

    /** Returns the own address of {@code id}, a {@code struct rdma_cm_id}; null if it has none. */
    static @Nullable InetSocketAddress local(MemorySegment id) {
        return decode(rdma_addr.src_storage(rdma_route.addr(rdma_cm_id.route(id))));
    }

    /** Returns the peer's address of {@code id}, a {@code struct rdma_cm_id}; null if it has none. */
    static @Nullable InetSocketAddress remote(MemorySegment id) {
        return decode(rdma_addr.dst_storage(rdma_route.addr(rdma_cm_id.route(id))));
    }

    // A struct sockaddr_storage; null if it holds no IP address.
    private static @Nullable InetSocketAddress decode(MemorySegment address) {
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
