package org.panamaverbs.bench.binding;

import static java.lang.foreign.MemorySegment.NULL;
import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_ah_attr;
import org.panamaverbs.bindings.ibverbs.ibv_global_route;
import org.panamaverbs.bindings.ibverbs.ibv_mr;
import org.panamaverbs.bindings.ibverbs.ibv_qp;
import org.panamaverbs.bindings.ibverbs.ibv_qp_attr;
import org.panamaverbs.bindings.ibverbs.ibv_qp_cap;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr_ex;
import org.panamaverbs.bindings.ibverbs.ibv_wc;
import org.panamaverbs.bindings.ibverbs.verbs_context;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Ops;
import org.panamaverbs.ibverbs.device.OpenedDevice;

/** A queue pair of a device of the kernel that is connected to itself, made with {@code ibv_create_qp_ex(3)}. */
final class LoopbackQueuePair {
    private static final int DEPTH = 128;
    private static final byte PORT = 1;

    private final Arena arena = Arena.ofAuto();
    private final OpenedDevice device;
    private final MemorySegment cq;
    private final MemorySegment qp;
    private final MemorySegment memory = arena.allocate(WriteBatch.LENGTH * 2L, WriteBatch.LENGTH);
    private final MemorySegment region;
    private final MemorySegment completion = ibv_wc.allocate(arena);
    private final Ops ops;

    /** Makes a queue pair of the device {@code name}, connected by its GID of index {@code gidIndex}. */
    LoopbackQueuePair(String name, byte gidIndex) {
        device = OpenedDevice.open(OpenConfig.provider("ibverbs").withDevice(name));
        MemorySegment domain = IbvCalls.ALLOC_PD.pointer(name, device.context());
        cq = IbvCalls.CREATE_CQ.pointer(name, device.context(), DEPTH, NULL, NULL, 0);
        region = IbvCalls.REG_MR_IOVA2
                .pointer(name, domain, memory, memory.byteSize(), memory.address(), rights())
                .reinterpret(ibv_mr.sizeof());
        qp = create(domain);
        ops = Ops.of(device.context(), false);
        connect(gidIndex);
    }

    /** Returns {@code struct ibv_qp_ex}. */
    MemorySegment handle() {
        return qp;
    }

    /** Returns where Writes read, {@link WriteBatch#LENGTH} bytes; behind them are as many that they write. */
    long address() {
        return memory.address();
    }

    int lkey() {
        return ibv_mr.lkey(region);
    }

    int rkey() {
        return ibv_mr.rkey(region);
    }

    private static int rights() {
        return Ibverbs.IBV_ACCESS_LOCAL_WRITE() | Ibverbs.IBV_ACCESS_REMOTE_WRITE();
    }

    private MemorySegment create(MemorySegment domain) {
        MemorySegment wanted = ibv_qp_init_attr_ex.allocate(arena);
        ibv_qp_init_attr_ex.send_cq(wanted, cq);
        ibv_qp_init_attr_ex.recv_cq(wanted, cq);
        ibv_qp_init_attr_ex.qp_type(wanted, Ibverbs.IBV_QPT_RC());
        ibv_qp_init_attr_ex.pd(wanted, domain);
        ibv_qp_init_attr_ex.comp_mask(
                wanted, Ibverbs.IBV_QP_INIT_ATTR_PD() | Ibverbs.IBV_QP_INIT_ATTR_SEND_OPS_FLAGS());
        ibv_qp_init_attr_ex.send_ops_flags(wanted, Ibverbs.IBV_QP_EX_WITH_RDMA_WRITE());
        MemorySegment cap = ibv_qp_init_attr_ex.cap(wanted);
        ibv_qp_cap.max_send_wr(cap, DEPTH);
        ibv_qp_cap.max_recv_wr(cap, 1);
        ibv_qp_cap.max_send_sge(cap, 1);
        ibv_qp_cap.max_recv_sge(cap, 1);
        MemorySegment context = MemorySegment.ofAddress(device.context().address() - verbs_context.context$offset())
                .reinterpret(verbs_context.sizeof());
        // What libibverbs' ibv_qp_to_qp_ex returns is at the same address: struct verbs_qp is a union of both.
        return Call.at(
                        verbs_context.create_qp_ex(context),
                        "ibv_create_qp_ex",
                        FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS))
                .pointer("a queue pair with ibv_wr_*", device.context(), wanted)
                .reinterpret(ibv_qp.sizeof());
    }

    private void connect(byte gidIndex) {
        MemorySegment attributes = ibv_qp_attr.allocate(arena);
        ibv_qp_attr.qp_state(attributes, Ibverbs.IBV_QPS_INIT());
        ibv_qp_attr.port_num(attributes, PORT);
        ibv_qp_attr.qp_access_flags(attributes, rights());
        modify(attributes, Ibverbs.IBV_QP_PKEY_INDEX() | Ibverbs.IBV_QP_PORT() | Ibverbs.IBV_QP_ACCESS_FLAGS());
        ibv_qp_attr.qp_state(attributes, Ibverbs.IBV_QPS_RTR());
        ibv_qp_attr.path_mtu(attributes, Ibverbs.IBV_MTU_1024());
        ibv_qp_attr.dest_qp_num(attributes, ibv_qp.qp_num(qp));
        ibv_qp_attr.min_rnr_timer(attributes, (byte) 1);
        MemorySegment path = ibv_qp_attr.ah_attr(attributes);
        ibv_ah_attr.is_global(path, (byte) 1);
        ibv_ah_attr.port_num(path, PORT);
        MemorySegment route = ibv_ah_attr.grh(path);
        ibv_global_route.sgid_index(route, gidIndex);
        ibv_global_route.hop_limit(route, (byte) 1);
        IbvCalls.QUERY_GID.check(
                "GID " + gidIndex, device.context(), PORT, (int) gidIndex, ibv_global_route.dgid(route));
        modify(
                attributes,
                Ibverbs.IBV_QP_AV()
                        | Ibverbs.IBV_QP_PATH_MTU()
                        | Ibverbs.IBV_QP_DEST_QPN()
                        | Ibverbs.IBV_QP_RQ_PSN()
                        | Ibverbs.IBV_QP_MAX_DEST_RD_ATOMIC()
                        | Ibverbs.IBV_QP_MIN_RNR_TIMER());
        ibv_qp_attr.qp_state(attributes, Ibverbs.IBV_QPS_RTS());
        ibv_qp_attr.timeout(attributes, (byte) 14);
        ibv_qp_attr.retry_cnt(attributes, (byte) 7);
        ibv_qp_attr.rnr_retry(attributes, (byte) 7);
        modify(
                attributes,
                Ibverbs.IBV_QP_TIMEOUT()
                        | Ibverbs.IBV_QP_RETRY_CNT()
                        | Ibverbs.IBV_QP_RNR_RETRY()
                        | Ibverbs.IBV_QP_SQ_PSN()
                        | Ibverbs.IBV_QP_MAX_QP_RD_ATOMIC());
    }

    private void modify(MemorySegment attributes, int mask) {
        IbvCalls.MODIFY_QP.check("the queue pair", qp, attributes, Ibverbs.IBV_QP_STATE() | mask);
    }

    /** Polls until the last of the batch, the only one that is signaled, is done. */
    void await() {
        int count = 0;
        while (count == 0) {
            count = ops.pollCq(cq.address(), 1, completion.address());
        }
        if (count < 0 || ibv_wc.status(completion) != 0) {
            throw new IllegalStateException("a Write ended with status " + ibv_wc.status(completion));
        }
    }
}
