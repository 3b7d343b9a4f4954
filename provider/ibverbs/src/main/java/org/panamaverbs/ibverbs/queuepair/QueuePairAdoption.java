package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ext.Adoption;
import org.panamaverbs.bindings.ibverbs.ibv_qp;
import org.panamaverbs.bindings.ibverbs.ibv_qp_cap;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.context.AdoptedFacts;
import org.panamaverbs.ibverbs.context.HeldParents;
import org.panamaverbs.ibverbs.memory.Domain;
import org.panamaverbs.ibverbs.post.IbvSharedReceiveQueue;
import org.panamaverbs.ibverbs.post.PostMemory;
import org.panamaverbs.spi.support.Creation;

/** Adopts native queue pairs of a vendor's call. What cannot be adopted stays the caller's. */
final class QueuePairAdoption {
    private static final QueuePairState[] STATES = QueuePairState.values(); // enum ibv_qp_state in order

    private QueuePairAdoption() {}

    static IbvQueuePair of(Domain domain, Adoption adoption, QueuePairConfig config) {
        requireAdoptable(config);
        IbvCompletionQueue send = IbvCompletionQueue.own(config.sendCq(), domain.context());
        IbvCompletionQueue receive = IbvCompletionQueue.own(config.recvCq(), domain.context());
        IbvSharedReceiveQueue shared = QueuePairMaker.own(domain, config.srq());
        try (HeldParents held = new HeldParents("a queue pair", Attachment.parents(domain, send, receive, shared));
                Arena scratch = Arena.ofConfined()) {
            held.requireOpen();
            AdoptedFacts facts = new AdoptedFacts("queue pair", adoption, domain.context());
            MemorySegment handle = MemorySegment.ofAddress(adoption.address()).reinterpret(ibv_qp.sizeof());
            facts.require("number", ibv_qp.qp_num(handle), adoption.number());
            facts.require("type", ibv_qp.qp_type(handle), QueuePairMaker.typeCode(config.type()));
            facts.require("domain", ibv_qp.pd(handle), domain.handle());
            facts.require("send queue", ibv_qp.send_cq(handle), send.handle());
            facts.require("receive queue", ibv_qp.recv_cq(handle), receive.handle());
            facts.require("shared receive queue", ibv_qp.srq(handle), handleOf(shared));
            MemorySegment sizes = ibv_qp_cap.allocate(scratch);
            String what = "queue pair " + adoption.number();
            Optional<QueuePairState> told = QpStates.ask(what, handle, sizes, scratch);
            if (told.isPresent()) {
                requireSizes(facts, config, sizes);
            }
            QueuePairState state = told.orElseGet(() -> recorded(handle));
            return Creation.of(
                    () -> Creation.of(
                            () -> PostMemory.of(
                                    config, domain.context().quirks().receiveNeedsPiece()),
                            memory -> new IbvQueuePair(domain, send, receive, shared, config, handle, memory, adoption),
                            PostMemory::close),
                    made -> {
                        made.initialize(state, adoption.owner());
                        return made;
                    },
                    IbvQueuePair::closeWithOwner);
        }
    }

    /** Returns the state that libibverbs has recorded, which no driver needs to be asked for. */
    private static QueuePairState recorded(MemorySegment handle) {
        int code = ibv_qp.state(handle);
        return code >= 0 && code < STATES.length ? STATES[code] : QueuePairState.RESET;
    }

    private static MemorySegment handleOf(@Nullable IbvSharedReceiveQueue shared) {
        return shared == null ? MemorySegment.NULL : shared.handle();
    }

    private static void requireAdoptable(QueuePairConfig config) {
        if (config.type() == QueuePairType.XRC_SEND || config.type() == QueuePairType.XRC_RECV) {
            throw new UnsupportedOperationException("adopt queue pair of type " + config.type()
                    + ": no vendor's call creates one; remedy: create it with ProtectionDomain.queuePair or XrcDomain");
        }
        if (!config.sendOps().isEmpty()) {
            throw new IllegalArgumentException("adopt queue pair for " + config.sendOps()
                    + ": extended posts need a queue pair that this library created; remedy: leave withSendOps out");
        }
    }

    private static void requireSizes(AdoptedFacts facts, QueuePairConfig config, MemorySegment sizes) {
        facts.requireSize("maxSendWr", config.maxSendWr(), 0, ibv_qp_cap.max_send_wr(sizes));
        facts.requireSize("maxInlineBytes", config.maxInlineBytes(), 0, ibv_qp_cap.max_inline_data(sizes));
        if (config.maxSendWr() > 0) {
            facts.requireSize("maxSendSge", config.maxSendSge(), 1, ibv_qp_cap.max_send_sge(sizes));
        }
        if (config.srq() == null) {
            facts.requireSize("maxRecvWr", config.maxRecvWr(), 0, ibv_qp_cap.max_recv_wr(sizes));
            if (config.maxRecvWr() > 0) {
                facts.requireSize("maxRecvSge", config.maxRecvSge(), 1, ibv_qp_cap.max_recv_sge(sizes));
            }
        }
    }
}
