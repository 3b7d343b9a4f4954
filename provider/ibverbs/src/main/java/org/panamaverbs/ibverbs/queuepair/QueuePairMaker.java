package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.ext.XrcSharedReceiveQueue;
import org.panamaverbs.bindings.ibverbs.ibv_qp_cap;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.extensions.QpExOps;
import org.panamaverbs.ibverbs.memory.Domain;
import org.panamaverbs.ibverbs.post.IbvSharedReceiveQueue;
import org.panamaverbs.ibverbs.post.PostMemory;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.Ours;

/** Makes queue pairs: {@code ibv_create_qp(3)} and the transition to INIT. */
final class QueuePairMaker {
    private QueuePairMaker() {}

    static IbvQueuePair make(Domain domain, QueuePairConfig config) {
        requireMakeable(config);
        requireRight(domain.context(), config);
        domain.context().limits().check(config);
        boolean receives = config.type() != QueuePairType.XRC_SEND;
        IbvCompletionQueue send = IbvCompletionQueue.own(config.sendCq(), domain.context());
        IbvCompletionQueue receive = IbvCompletionQueue.own(config.recvCq(), domain.context());
        IbvSharedReceiveQueue shared = own(domain, config.srq());
        try (HeldParents held = new HeldParents("a queue pair", Attachment.parents(domain, send, receive, shared));
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            MemorySegment init = ibv_qp_init_attr.allocate(scratch);
            ibv_qp_init_attr.send_cq(init, send.handle());
            ibv_qp_init_attr.recv_cq(init, receives ? receive.handle() : MemorySegment.NULL);
            ibv_qp_init_attr.srq(init, shared == null ? MemorySegment.NULL : shared.handle());
            ibv_qp_init_attr.qp_type(init, typeCode(config.type()));
            ibv_qp_init_attr.sq_sig_all(init, config.signalAll() ? 1 : 0);
            MemorySegment cap = ibv_qp_init_attr.cap(init);
            // None more for the marker that drains the queue: hns_roce_u, efa, mlx4, mlx5 and erdma round up to
            // powers of two, so that the usual depths would get rings of twice the size, or the deepest none.
            ibv_qp_cap.max_send_wr(cap, config.maxSendWr());
            ibv_qp_cap.max_recv_wr(cap, receives && shared == null ? Math.max(1, config.maxRecvWr()) : 0);
            ibv_qp_cap.max_send_sge(cap, config.maxSendSge());
            ibv_qp_cap.max_recv_sge(cap, receives && shared == null ? config.maxRecvSge() : 0);
            ibv_qp_cap.max_inline_data(cap, config.maxInlineBytes());
            String what = config.type() + " queue pair of " + config.maxSendWr() + " sends of " + config.maxSendSge()
                    + " pieces, " + config.maxRecvWr() + " receives of " + config.maxRecvSge() + " pieces, "
                    + config.maxInlineBytes() + " inline bytes"
                    + (config.flags().isEmpty() ? "" : " with flags " + config.flags()) + " in " + domain.resourceName()
                    + " of device " + domain.context().device();
            return Creation.of(
                    () -> Creation.of(
                            () -> create(domain, config, init, what),
                            handle -> adopt(
                                    domain,
                                    send,
                                    receive,
                                    shared,
                                    actual(config, port(domain.context(), config), cap),
                                    handle),
                            Undo.DESTROY_QP),
                    made -> {
                        made.initialize();
                        return made;
                    },
                    IbvQueuePair::closeWithOwner);
        }
    }

    /** Makes the native queue pair: by {@code ibv_create_qp_ex} only if it needs what that alone has. */
    private static MemorySegment create(Domain domain, QueuePairConfig config, MemorySegment init, String what) {
        return config.sendOps().isEmpty() && config.flags().isEmpty()
                ? IbvCalls.CREATE_QP.pointer(what, domain.handle(), init)
                : QpExOps.create(
                        domain.context().handle(), domain.handle(), init, config.sendOps(), config.flags(), what);
    }

    /** Says what keeps the process from raw queue pairs before it is said that the device has none. */
    private static void requireRight(IbvContext context, QueuePairConfig config) {
        if (config.type() == QueuePairType.RAW_PACKET && context.forbidsRawPackets()) {
            throw new UnsupportedOperationException("ibv_create_qp RAW_PACKET of device " + context.device()
                    + ": EPERM (1): this process lacks CAP_NET_RAW; remedy: grant it before the process starts"
                    + " (setcap cap_net_raw+ep, AmbientCapabilities= of systemd or --cap-add NET_RAW), on a device"
                    + " whose adapter and driver support raw queue pairs");
        }
    }

    /** Refuses what verbs has in another form, of which the kernel would say EINVAL. */
    private static void requireMakeable(QueuePairConfig config) {
        if (config.type() == QueuePairType.XRC_RECV) {
            throw new UnsupportedOperationException(
                    "a queue pair of type XRC_RECV has neither a domain nor queues; remedy: create it with"
                            + " XrcDomain.receiver()");
        }
        if (config.type() == QueuePairType.DRIVER) {
            throw new UnsupportedOperationException("ibv_create_qp DRIVER: only a call of the vendor creates one,"
                    + " such as efadv_create_qp_ex; remedy: call it and pass its queue pair to ProtectionDomain.adopt");
        }
        if (config.type() == QueuePairType.XRC_SEND && config.srq() != null) {
            throw new IllegalArgumentException(
                    "a queue pair of type XRC_SEND receives nothing; remedy: leave the shared receive queue out");
        }
        if (config.srq() instanceof XrcSharedReceiveQueue queue) {
            throw new IllegalArgumentException("the shared receive queue " + queue.number()
                    + " belongs to an XRC domain, where peers address it directly; remedy: create the queue pair"
                    + " without it");
        }
    }

    /** Returns {@code config} on {@code port}, with the depths that the device has made of it. */
    private static QueuePairConfig actual(QueuePairConfig config, int port, MemorySegment cap) {
        return config.withPort(port)
                .withDepth(
                        Math.max(config.maxSendWr(), ibv_qp_cap.max_send_wr(cap)),
                        config.type() == QueuePairType.XRC_SEND
                                ? 0
                                : Math.max(config.maxRecvWr(), ibv_qp_cap.max_recv_wr(cap)));
    }

    /** Returns the port that the queue pair is on, 0 for none. */
    private static int port(IbvContext context, QueuePairConfig config) {
        if (context.isIwarp()) {
            return 0;
        }
        return config.port() == 0 ? context.port() : config.port();
    }

    private static IbvQueuePair adopt(
            Domain domain,
            IbvCompletionQueue send,
            IbvCompletionQueue receive,
            @Nullable IbvSharedReceiveQueue shared,
            QueuePairConfig config,
            MemorySegment handle) {
        return Creation.of(
                () -> PostMemory.of(config, domain.context().quirks().receiveNeedsPiece()),
                memory -> new IbvQueuePair(domain, send, receive, shared, config, handle, memory, null),
                PostMemory::close);
    }

    static int typeCode(QueuePairType type) {
        // infiniband/verbs.h: enum ibv_qp_type
        return switch (type) {
            case RC -> 2;
            case UC -> 3;
            case UD -> 4;
            case RAW_PACKET -> 8;
            case XRC_SEND -> 9;
            case XRC_RECV -> 10;
            case DRIVER -> 0xFF;
        };
    }

    static @Nullable IbvSharedReceiveQueue own(Domain domain, @Nullable SharedReceiveQueue queue) {
        IbvSharedReceiveQueue ours = Ours.orNull(
                "shared receive queue", queue, IbvSharedReceiveQueue.class, IbvSharedReceiveQueue::domain, domain);
        if (ours != null) {
            ours.requireOpen();
        }
        return ours;
    }
}
