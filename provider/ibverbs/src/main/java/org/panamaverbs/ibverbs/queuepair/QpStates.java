package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_qp_attr;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.completion.HeldQueues;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.post.NativeQueuePair;
import org.panamaverbs.memory.Access;

/**
 * The state machine of a queue pair: {@code ibv_modify_qp(3)} and {@code ibv_query_qp(3)}. What a transition needs is
 * in {@link QpTransition}, so that a refusal can say what was missing. Its monitor keeps the queue pair from being
 * destroyed during a call.
 */
final class QpStates {
    private static final int DEFAULT_QKEY = 0x1111_1111;

    private final NativeQueuePair queuePair;
    private final Attachment attachment;
    // The rights that peers have, as they were set last; written under the monitor.
    private volatile int accessFlags;

    QpStates(NativeQueuePair queuePair, Attachment attachment) {
        this.queuePair = queuePair;
        this.attachment = attachment;
    }

    /** Returns the rights that peers have, as they were set last. */
    int accessFlags() {
        return accessFlags;
    }

    /** Moves a new queue pair to INIT. */
    void initialize() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = ibv_qp_attr.allocate(scratch);
            QueuePairConfig config = queuePair.config();
            IbvContext context = queuePair.context();
            int rights = context.capabilities().peerRights();
            // Adapters of iWARP take a Read's response for a Write of the peer; registrations hold the rights there.
            if (!context.isIwarp()) {
                rights &= Access.mask(config.access()) | Access.LOCAL_WRITE.bit();
            }
            int port = config.port() == 0 ? context.port() : config.port();
            modify(
                    attributes,
                    QpAttributes.writeInitial(context, config.type(), rights, port, DEFAULT_QKEY, attributes));
        }
    }

    synchronized void modify(MemorySegment attributes, int mask) {
        queuePair.requireOpen();
        int errno = holdingQueues(() -> IbvCalls.MODIFY_QP.status(queuePair.handle(), attributes, mask));
        if (errno != 0) {
            QueuePairType type = queuePair.config().type();
            String what = queuePair.resourceName() + " (" + type + ")";
            throw QpAttributes.refused(queuePair.context(), what, type, state(), attributes, mask, errno);
        }
        if ((mask & QpTransition.bit(Field.ACCESS)) != 0) {
            accessFlags = ibv_qp_attr.qp_access_flags(attributes);
        }
        if ((mask & QpTransition.bit(Field.MAX_RD_ATOMIC)) != 0) {
            queuePair.initiatorDepth(Byte.toUnsignedInt(ibv_qp_attr.max_rd_atomic(attributes)));
        }
        if ((mask & QpTransition.STATE) != 0) {
            QueuePairState state = QpAttributes.state(attributes);
            try {
                if (state == QueuePairState.RESET) {
                    attachment.startAnew();
                }
            } finally {
                queuePair.entered(state);
            }
        }
    }

    /** Runs {@code call}, in which the driver may take completions out of the queues. */
    private int holdingQueues(IntSupplier call) {
        return HeldQueues.run(attachment.sends(), attachment.receives(), call);
    }

    /** Destroys the queue pair, after the call that is under way. */
    synchronized void destroy() {
        int errno = holdingQueues(() -> IbvCalls.DESTROY_QP.status(queuePair.handle()));
        if (errno != 0 && !queuePair.context().isGone(errno)) {
            throw Failure.of("ibv_destroy_qp", queuePair.resourceName(), errno);
        }
    }

    /** Moves the queue pair to ERROR and lets a failure be: then the device is gone or it is there already. */
    synchronized void fail() {
        if (!queuePair.isOpen()) {
            return; // it is about to be destroyed
        }
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = ibv_qp_attr.allocate(scratch);
            ibv_qp_attr.qp_state(attributes, QpAttributes.code(QueuePairState.ERROR));
            int errno =
                    holdingQueues(() -> IbvCalls.MODIFY_QP.status(queuePair.handle(), attributes, QpTransition.STATE));
            if (errno == 0) {
                queuePair.entered(QueuePairState.ERROR);
            }
        }
    }

    void modify(QueuePairAttributes wanted) {
        if (wanted.alternatePath().isPresent()
                || wanted.get(Field.PATH_MIG_STATE).isPresent()) {
            queuePair.context().limits().require(Feature.PATH_MIGRATION);
        }
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = ibv_qp_attr.allocate(scratch);
            modify(attributes, QpAttributes.write(wanted, attributes));
        }
    }

    /** Returns the port that it is on; asks the device. */
    int port() {
        try (Arena scratch = Arena.ofConfined()) {
            int port = Byte.toUnsignedInt(ibv_qp_attr.port_num(queried(scratch, QpTransition.bit(Field.PORT))));
            return port == 0 ? queuePair.context().port() : port; // not every driver fills it in
        }
    }

    QueuePairState state() {
        if (queuePair.isLost()) {
            return QueuePairState.ERROR; // nobody is left to be asked
        }
        try (Arena scratch = Arena.ofConfined()) {
            return state(queried(scratch, QpTransition.STATE));
        }
    }

    private QueuePairState state(MemorySegment queried) {
        // siw_verbs.c: siw_query_qp() of Linux 6.1 leaves the state out. On
        // iWARP all changes are made here or told by the connection manager.
        return queuePair.context().isIwarp() || !QpAttributes.hasState(queried)
                ? queuePair.entered()
                : QpAttributes.state(queried);
    }

    QueuePairAttributes query() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = queried(scratch, QpAttributes.ALL);
            return QpAttributes.read(
                    attributes, state(attributes), !queuePair.context().isIwarp());
        }
    }

    /**
     * Queries {@code handle}, a {@code struct ibv_qp} that is not ours yet, for its state and sizes.
     *
     * @param sizes set to a {@code struct ibv_qp_cap}
     * @return the state, empty if the driver does not tell
     */
    static Optional<QueuePairState> ask(String what, MemorySegment handle, MemorySegment sizes, Arena scratch) {
        MemorySegment attributes = ibv_qp_attr.allocate(scratch);
        MemorySegment init = ibv_qp_init_attr.allocate(scratch);
        int errno = IbvCalls.QUERY_QP.status(handle, attributes, QpTransition.STATE | QpTransition.CAPACITIES, init);
        // mlx5_ib_dct_query_qp() of Linux refuses sizes, and a state that is not RTR, with EINVAL.
        if (errno == Errno.EOPNOTSUPP || errno == Errno.ENOSYS || errno == Errno.EINVAL) {
            return Optional.empty();
        }
        if (errno != 0) {
            throw Failure.of("ibv_query_qp", what, errno);
        }
        sizes.copyFrom(ibv_qp_init_attr.cap(init));
        return QpAttributes.hasState(attributes) ? Optional.of(QpAttributes.state(attributes)) : Optional.empty();
    }

    /** Waits for calls under way: the caller destroys what they use. Those that come later find it closed. */
    synchronized void awaitCalls() {}

    private synchronized MemorySegment queried(Arena scratch, int mask) {
        queuePair.requireOpen();
        MemorySegment attributes = ibv_qp_attr.allocate(scratch);
        MemorySegment init = ibv_qp_init_attr.allocate(scratch);
        IbvCalls.QUERY_QP.check(queuePair.resourceName(), queuePair.handle(), attributes, mask, init);
        return attributes;
    }
}
