package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.bindings.rdmacm.Rdmacm;
import org.panamaverbs.bindings.rdmacm.rdma_cm_event;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.call.CmEnds;
import org.panamaverbs.ibverbs.cm.ConnectionParameters;
import org.panamaverbs.ibverbs.cm.SocketAddresses;

/**
 * A peer that asks for a connection through librdmacm, with the number of a queue pair that it has not, and says
 * nothing any more: no {@code rdma_establish} follows the answer.
 */
final class SilentAsker implements AutoCloseable {
    private static final String WHO = "a peer that falls silent";
    private static final int RESOLVE_MILLIS = 20_000;
    private static final int ANY_QP = 0x1234;

    private final CmEnds ends = new CmEnds();
    private final MemorySegment channel = CmCalls.CREATE_EVENT_CHANNEL.pointer(WHO);
    private final long id;

    /** Asks {@code server}. */
    SilentAsker(InetSocketAddress server) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(ValueLayout.ADDRESS);
            CmCalls.CREATE_ID.check(WHO, channel, made, MemorySegment.NULL, Rdmacm.RDMA_PS_TCP());
            MemorySegment pointer = made.get(Rdmacm.C_POINTER, 0);
            id = pointer.address();
            CmCalls.RESOLVE_ADDR.check(
                    WHO, pointer, MemorySegment.NULL, SocketAddresses.encode(server, arena), RESOLVE_MILLIS);
            take(Rdmacm.RDMA_CM_EVENT_ADDR_RESOLVED(), arena);
            CmCalls.RESOLVE_ROUTE.check(WHO, pointer, RESOLVE_MILLIS);
            take(Rdmacm.RDMA_CM_EVENT_ROUTE_RESOLVED(), arena);
            ConnectionParameters parameters = new ConnectionParameters(ConnectionConfig.defaults(), 1, 1);
            CmCalls.CONNECT.check(WHO, pointer, parameters.encode(ANY_QP, false, arena));
        }
    }

    private void take(int expected, Arena arena) {
        MemorySegment event = arena.allocate(ValueLayout.JAVA_LONG);
        CmCalls.GET_CM_EVENT.check(WHO, channel, event);
        long address = event.get(ValueLayout.JAVA_LONG, 0);
        int type = rdma_cm_event.event(MemorySegment.ofAddress(address).reinterpret(rdma_cm_event.sizeof()));
        assertThat(ends.acknowledge(address)).isZero();
        assertThat(type).isEqualTo(expected);
    }

    @Override
    public void close() {
        assertThat(ends.destroyId(id)).isZero();
        ends.destroyChannel(channel.address());
    }
}
