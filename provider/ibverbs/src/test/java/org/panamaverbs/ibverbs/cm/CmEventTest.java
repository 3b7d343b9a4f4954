package org.panamaverbs.ibverbs.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.panamaverbs.bindings.rdmacm.Rdmacm;
import org.panamaverbs.bindings.rdmacm.ibv_ah_attr;
import org.panamaverbs.bindings.rdmacm.rdma_cm_event;
import org.panamaverbs.bindings.rdmacm.rdma_conn_param;
import org.panamaverbs.bindings.rdmacm.rdma_ud_param;

class CmEventTest {
    private final Arena arena = Arena.ofAuto();

    @Test
    void typesAreThoseOfTheHeader() {
        assertThat(CmEventType.of(Rdmacm.RDMA_CM_EVENT_ADDR_RESOLVED())).isEqualTo(CmEventType.ADDR_RESOLVED);
        assertThat(CmEventType.of(Rdmacm.RDMA_CM_EVENT_CONNECT_REQUEST())).isEqualTo(CmEventType.CONNECT_REQUEST);
        assertThat(CmEventType.of(Rdmacm.RDMA_CM_EVENT_REJECTED())).isEqualTo(CmEventType.REJECTED);
        assertThat(CmEventType.of(Rdmacm.RDMA_CM_EVENT_ESTABLISHED())).isEqualTo(CmEventType.ESTABLISHED);
        assertThat(CmEventType.of(Rdmacm.RDMA_CM_EVENT_DISCONNECTED())).isEqualTo(CmEventType.DISCONNECTED);
        assertThat(CmEventType.of(Rdmacm.RDMA_CM_EVENT_TIMEWAIT_EXIT())).isEqualTo(CmEventType.TIMEWAIT_EXIT);
    }

    @Test
    void typesOfTheFutureAreNoise() {
        assertThat(CmEventType.of(16).isNoise()).isTrue();
        assertThat(CmEventType.of(-1).isNoise()).isTrue();
        assertThat(CmEventType.of(Integer.MAX_VALUE).isNoise()).isTrue();
    }

    @Test
    void copyOutlivesTheEvent() {
        MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1, (byte) 2);
        MemorySegment event = event(Rdmacm.RDMA_CM_EVENT_REJECTED(), -104);
        MemorySegment param = rdma_cm_event.param.conn(rdma_cm_event.param(event));
        rdma_conn_param.private_data(param, data);
        rdma_conn_param.private_data_len(param, (byte) 2);
        rdma_conn_param.responder_resources(param, (byte) 200);
        rdma_conn_param.initiator_depth(param, (byte) 3);

        CmEvent copy = CmEvent.copy(event);
        event.fill((byte) 0);
        data.fill((byte) 0);

        assertThat(copy.type()).isEqualTo(CmEventType.REJECTED);
        assertThat(copy.status()).isEqualTo(-104);
        assertThat(copy.errno()).isEqualTo(104);
        assertThat(copy.responderResources()).isEqualTo(200);
        assertThat(copy.initiatorDepth()).isEqualTo(3);
        assertThat(copy.privateData()).containsExactly(1, 2);
    }

    @Test
    void copyOfADatagramEventHasWhereDatagramsGo() {
        MemorySegment event = event(Rdmacm.RDMA_CM_EVENT_MULTICAST_JOIN(), 0);
        MemorySegment param = rdma_cm_event.param.ud(rdma_cm_event.param(event));
        rdma_ud_param.private_data(param, arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 7));
        rdma_ud_param.private_data_len(param, (byte) 1);
        rdma_ud_param.qp_num(param, 0xFFFFFF);
        rdma_ud_param.qkey(param, 0x01234567);
        MemorySegment path = rdma_ud_param.ah_attr(param);
        ibv_ah_attr.dlid(path, (short) 0xC001);
        ibv_ah_attr.port_num(path, (byte) 1);
        ibv_ah_attr.is_global(path, (byte) 1);
        ibv_ah_attr.grh(path).fill((byte) 3);

        CmEvent copy = CmEvent.copyDatagrams(event);
        event.fill((byte) 0);

        CmEvent.UdParameters found = copy.requireDatagrams();
        assertThat(copy.type()).isEqualTo(CmEventType.MULTICAST_JOIN);
        assertThat(copy.privateData()).containsExactly(7);
        assertThat(found.qpNumber()).isEqualTo(0xFFFFFF);
        assertThat(found.qkey()).isEqualTo(0x01234567);
        assertThat(found.address().lid()).isEqualTo(0xC001);
        assertThat(found.address().port()).isEqualTo(1);
        assertThat(found.address().gidIndex()).isEqualTo(3);
        assertThat(found.address().gid()).hasSize(16).containsOnly(3);
    }

    @Test
    void eventWithoutPrivateDataHasNone() {
        assertThat(CmEvent.copy(event(Rdmacm.RDMA_CM_EVENT_ESTABLISHED(), 0)).privateData())
                .isEmpty();
    }

    private MemorySegment event(int type, int status) {
        MemorySegment event = rdma_cm_event.allocate(arena);
        rdma_cm_event.event(event, type);
        rdma_cm_event.status(event, status);
        return event;
    }
}
