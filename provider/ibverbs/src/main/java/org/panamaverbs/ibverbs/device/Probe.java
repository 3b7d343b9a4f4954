package org.panamaverbs.ibverbs.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_qp_cap;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr;
import org.panamaverbs.ibverbs.call.IbvCalls;

/**
 * What no query tells: it is tried with throw-away objects, once per device and process.
 *
 * @param types the services of which a queue pair can be made
 * @param maxInlineBytes inline octets a work request of a small queue pair
 * @param resizesCq whether a completion queue can be resized
 * @param registersDmaBuf whether dma-buf memory can be registered
 */
record Probe(Set<QueuePairType> types, int maxInlineBytes, boolean resizesCq, boolean registersDmaBuf) {
    private static final Map<String, Probe> KNOWN = new ConcurrentHashMap<>();

    private static final int PROBED_CQE = 4;
    private static final int PAGE = 4096;
    private static final int NO_FILE = -1;
    // asm-generic/errno-base.h
    private static final int EBADF = 9;
    // More inline data than any driver takes; requests grow by more than that.
    private static final int INLINE_LIMIT = 1 << 14;
    private static final int INLINE_STEP = 4;

    Probe {
        types = Set.copyOf(types);
    }

    /** Tries {@code context}, an open device; a later call with the same {@code key} returns what was found before. */
    static Probe of(String key, MemorySegment context) {
        return KNOWN.computeIfAbsent(key, unknown -> tried(context));
    }

    private static Probe tried(MemorySegment context) {
        MemorySegment domain = IbvCalls.ALLOC_PD.pointer("a probe", context);
        try {
            MemorySegment queue = IbvCalls.CREATE_CQ.pointer(
                    "a probe", context, PROBED_CQE, MemorySegment.NULL, MemorySegment.NULL, 0);
            try {
                return tried(domain, queue);
            } finally {
                IbvCalls.DESTROY_CQ.check("a probe", queue);
            }
        } finally {
            IbvCalls.DEALLOC_PD.check("a probe", domain);
        }
    }

    private static Probe tried(MemorySegment domain, MemorySegment queue) {
        Set<QueuePairType> types = EnumSet.noneOf(QueuePairType.class);
        for (QueuePairType type : QueuePairType.values()) {
            if (inline(domain, queue, type, 0) >= 0) {
                types.add(type);
            }
        }
        int inline = types.contains(QueuePairType.RC) ? maxInline(domain, queue) : 0;
        boolean resizes = IbvCalls.RESIZE_CQ.status(queue, 2 * PROBED_CQE) == 0;
        return new Probe(types, inline, resizes, registersDmaBuf(domain));
    }

    /** Returns the most that is granted: between what is granted and what is refused, halved again and again. */
    private static int maxInline(MemorySegment domain, MemorySegment queue) {
        int granted = inline(domain, queue, QueuePairType.RC, 0);
        int refused = INLINE_LIMIT;
        while (refused - granted > INLINE_STEP) {
            int asked = (granted + refused) / 2 / INLINE_STEP * INLINE_STEP;
            if (asked <= granted) {
                break;
            }
            int answer = inline(domain, queue, QueuePairType.RC, asked);
            if (answer >= asked) {
                granted = answer;
            } else {
                refused = asked;
            }
        }
        return granted;
    }

    /** Makes a queue pair for {@code asked} inline octets and returns how many it was granted, -1 if it was refused. */
    private static int inline(MemorySegment domain, MemorySegment queue, QueuePairType type, int asked) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ibv_qp_init_attr.allocate(arena);
            ibv_qp_init_attr.send_cq(init, queue);
            ibv_qp_init_attr.recv_cq(init, queue);
            ibv_qp_init_attr.qp_type(init, code(type));
            MemorySegment capacity = ibv_qp_init_attr.cap(init);
            ibv_qp_cap.max_send_wr(capacity, 1);
            ibv_qp_cap.max_recv_wr(capacity, 1);
            ibv_qp_cap.max_send_sge(capacity, 1);
            ibv_qp_cap.max_recv_sge(capacity, 1);
            ibv_qp_cap.max_inline_data(capacity, asked);
            MemorySegment made = IbvCalls.CREATE_QP.pointer("a probe", domain, init);
            int granted = ibv_qp_cap.max_inline_data(capacity);
            IbvCalls.DESTROY_QP.check("a probe", made);
            return granted;
        } catch (ResourceException e) {
            return -1;
        }
    }

    /** Registers a file that is not open: a device that knows dma-buf complains of that, another of the call. */
    private static boolean registersDmaBuf(MemorySegment domain) {
        if (!IbvCalls.REG_DMABUF_MR.isPresent()) {
            return false;
        }
        try {
            MemorySegment region = IbvCalls.REG_DMABUF_MR.pointer(
                    "a probe", domain, 0L, (long) PAGE, 0L, NO_FILE, Ibverbs.IBV_ACCESS_LOCAL_WRITE());
            IbvCalls.DEREG_MR.check("a probe", region);
            return true;
        } catch (ResourceException e) {
            return e.errno() == EBADF;
        }
    }

    private static int code(QueuePairType type) {
        return switch (type) {
            case RC -> Ibverbs.IBV_QPT_RC();
            case UC -> Ibverbs.IBV_QPT_UC();
            case UD -> Ibverbs.IBV_QPT_UD();
        };
    }
}
