package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.function.IntSupplier;
import org.panamaverbs.api.AlternatePath;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_qp_attr;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.completion.HeldQueues;
import org.panamaverbs.ibverbs.post.IbvAddressHandle;
import org.panamaverbs.ibverbs.post.NativeQueuePair;
import org.panamaverbs.memory.Access;

/**
 * The state machine of a queue pair: {@code ibv_modify_qp(3)} and {@code ibv_query_qp(3)}. What a transition needs is
 * in {@link QpTransition}, so that a refusal can say what was missing. Its monitor keeps the queue pair from being
 * destroyed during a call.
 */
final class QpStates {
    private static final QueuePairState[] STATES = QueuePairState.values(); // enum ibv_qp_state in order
    private static final int ALL_QUERIED = 0x1FFFFF;
    private static final int DEFAULT_QKEY = 0x1111_1111;
    private static final int SMALLEST_MTU = 128;

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

    /** Returns the rights to begin with: all the device has, as each registration says which it grants. */
    private int allRights() {
        int rights = Access.mask(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.LOCAL_WRITE);
        boolean atomics = queuePair.context().capabilities().has(Feature.ATOMICS);
        return atomics ? rights | Access.REMOTE_ATOMIC.bit() : rights;
    }

    /** Moves a new queue pair to INIT. */
    void initialize() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = ibv_qp_attr.allocate(scratch);
            ibv_qp_attr.qp_state(attributes, code(QueuePairState.INIT));
            ibv_qp_attr.qp_access_flags(attributes, allRights());
            ibv_qp_attr.port_num(attributes, (byte) queuePair.context().port());
            ibv_qp_attr.qkey(attributes, DEFAULT_QKEY);
            int mask = QpTransition.STATE;
            if (queuePair.context().isIwarp()) {
                mask |= QpTransition.bit(Field.ACCESS);
            } else {
                mask |= QpTransition.required(queuePair.config().type(), QueuePairState.RESET, QueuePairState.INIT);
            }
            modify(attributes, mask);
        }
    }

    synchronized void modify(MemorySegment attributes, int mask) {
        queuePair.requireOpen();
        int errno = holdingQueues(() -> IbvCalls.MODIFY_QP.status(queuePair.handle(), attributes, mask));
        if (errno != 0) {
            throw refused(attributes, mask, errno);
        }
        if ((mask & QpTransition.bit(Field.ACCESS)) != 0) {
            accessFlags = ibv_qp_attr.qp_access_flags(attributes);
        }
        if ((mask & QpTransition.STATE) != 0) {
            QueuePairState state = STATES[ibv_qp_attr.qp_state(attributes)];
            try {
                if (state == QueuePairState.RESET) {
                    attachment.startAnew();
                }
            } finally {
                queuePair.entered(state);
            }
        }
    }

    private RuntimeException refused(MemorySegment attributes, int mask, int errno) {
        QueuePairState from = state();
        QueuePairState to = (mask & QpTransition.STATE) == 0 ? from : STATES[ibv_qp_attr.qp_state(attributes)];
        QueuePairType type = queuePair.config().type();
        String what = queuePair.resourceName() + " (" + type + ") from " + from + " to " + to;
        if (errno != Errno.EINVAL || queuePair.context().isIwarp()) {
            return Failure.of("ibv_modify_qp", what, errno);
        }
        if (!QpTransition.exists(from, to)) {
            return Failure.of(
                    "ibv_modify_qp", what, errno, "there is no such transition: RESET, INIT, RTR, RTS in turn");
        }
        int missing = QpTransition.required(type, from, to) & ~mask;
        return missing == 0
                ? Failure.of("ibv_modify_qp", what, errno, "one of the attributes is out of range: " + names(mask))
                : Failure.of("ibv_modify_qp", what, errno, "the transition lacks " + names(missing));
    }

    /** Runs {@code call}, in which the driver may take completions out of the queues. */
    private int holdingQueues(IntSupplier call) {
        return HeldQueues.run(attachment.sends(), attachment.receives(), call);
    }

    private static String names(int mask) {
        StringJoiner names = new StringJoiner(", ");
        for (Field field : Field.values()) {
            if ((mask & QpTransition.bit(field)) != 0) {
                names.add(field.name());
            }
        }
        if ((mask & QpTransition.ADDRESS) != 0) {
            names.add("address");
        }
        if ((mask & QpTransition.ALTERNATE_PATH) != 0) {
            names.add("alternatePath");
        }
        return names.toString();
    }

    /** Destroys the queue pair, after the call that is under way. */
    synchronized void destroy() {
        int errno = holdingQueues(() -> IbvCalls.DESTROY_QP.status(queuePair.handle()));
        if (errno != 0) {
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
            ibv_qp_attr.qp_state(attributes, code(QueuePairState.ERROR));
            int errno =
                    holdingQueues(() -> IbvCalls.MODIFY_QP.status(queuePair.handle(), attributes, QpTransition.STATE));
            if (errno == 0) {
                queuePair.entered(QueuePairState.ERROR);
            }
        }
    }

    void modify(QueuePairAttributes wanted) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = ibv_qp_attr.allocate(scratch);
            int mask = 0;
            if (wanted.state().isPresent()) {
                ibv_qp_attr.qp_state(attributes, code(wanted.state().get()));
                mask |= QpTransition.STATE;
            }
            if (wanted.address().isPresent()) {
                IbvAddressHandle.write(wanted.address().get(), ibv_qp_attr.ah_attr(attributes));
                mask |= QpTransition.ADDRESS;
            }
            if (wanted.alternatePath().isPresent()) {
                requireMigration();
                write(wanted.alternatePath().get(), attributes);
                mask |= QpTransition.ALTERNATE_PATH;
            }
            if (wanted.get(Field.PATH_MIG_STATE).isPresent()) {
                requireMigration();
            }
            for (Field field : Field.values()) {
                OptionalLong value = wanted.get(field);
                if (value.isPresent()) {
                    set(attributes, field, AttributeRange.checked(field, value.getAsLong()));
                    mask |= QpTransition.bit(field);
                }
            }
            modify(attributes, mask);
        }
    }

    private void requireMigration() {
        queuePair.context().limits().require(Feature.PATH_MIGRATION);
    }

    private static void write(AlternatePath path, MemorySegment attributes) {
        IbvAddressHandle.write(path.address(), ibv_qp_attr.alt_ah_attr(attributes));
        ibv_qp_attr.alt_port_num(attributes, (byte) path.address().port());
        ibv_qp_attr.alt_pkey_index(attributes, (short) path.pkeyIndex());
        ibv_qp_attr.alt_timeout(attributes, (byte) path.timeout());
    }

    private static AlternatePath alternatePath(MemorySegment attributes) {
        return new AlternatePath(
                IbvAddressHandle.read(ibv_qp_attr.alt_ah_attr(attributes)),
                Short.toUnsignedInt(ibv_qp_attr.alt_pkey_index(attributes)),
                Byte.toUnsignedInt(ibv_qp_attr.alt_timeout(attributes)));
    }

    QueuePairState state() {
        try (Arena scratch = Arena.ofConfined()) {
            return state(queried(scratch, QpTransition.STATE));
        }
    }

    private QueuePairState state(MemorySegment queried) {
        // siw_verbs.c: siw_query_qp() of Linux 6.1 leaves the state out. On
        // iWARP all changes are made here or told by the connection manager.
        return queuePair.context().isIwarp() ? queuePair.entered() : STATES[ibv_qp_attr.qp_state(queried)];
    }

    QueuePairAttributes query() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = queried(scratch, ALL_QUERIED);
            QueuePairAttributes found = QueuePairAttributes.to(state(attributes));
            if (!queuePair.context().isIwarp()) {
                found.address(IbvAddressHandle.read(ibv_qp_attr.ah_attr(attributes)));
            }
            if (ibv_qp_attr.alt_port_num(attributes) != 0) {
                found.alternatePath(alternatePath(attributes));
            }
            for (Field field : Field.values()) {
                found.set(field, get(attributes, field));
            }
            found.draining(ibv_qp_attr.sq_draining(attributes) != 0);
            return found;
        }
    }

    private synchronized MemorySegment queried(Arena scratch, int mask) {
        queuePair.requireOpen();
        MemorySegment attributes = ibv_qp_attr.allocate(scratch);
        MemorySegment init = ibv_qp_init_attr.allocate(scratch);
        IbvCalls.QUERY_QP.check(queuePair.resourceName(), queuePair.handle(), attributes, mask, init);
        return attributes;
    }

    private static int code(QueuePairState state) {
        return switch (state) {
            case RESET -> 0;
            case INIT -> 1;
            case RTR -> 2;
            case RTS -> 3;
            case SQD -> 4;
            case SQE -> 5;
            case ERROR -> 6;
        };
    }

    private static void set(MemorySegment attributes, Field field, long value) {
        switch (field) {
            case ACCESS -> ibv_qp_attr.qp_access_flags(attributes, (int) value);
            case PKEY_INDEX -> ibv_qp_attr.pkey_index(attributes, (short) value);
            case PORT -> ibv_qp_attr.port_num(attributes, (byte) value);
            case QKEY -> ibv_qp_attr.qkey(attributes, (int) value);
            case PATH_MTU -> ibv_qp_attr.path_mtu(attributes, mtuCode(value));
            case TIMEOUT -> ibv_qp_attr.timeout(attributes, (byte) value);
            case RETRY_COUNT -> ibv_qp_attr.retry_cnt(attributes, (byte) value);
            case RNR_RETRY -> ibv_qp_attr.rnr_retry(attributes, (byte) value);
            case MIN_RNR_TIMER -> ibv_qp_attr.min_rnr_timer(attributes, (byte) value);
            case RQ_PSN -> ibv_qp_attr.rq_psn(attributes, (int) value);
            case SQ_PSN -> ibv_qp_attr.sq_psn(attributes, (int) value);
            case MAX_RD_ATOMIC -> ibv_qp_attr.max_rd_atomic(attributes, (byte) value);
            case MAX_DEST_RD_ATOMIC -> ibv_qp_attr.max_dest_rd_atomic(attributes, (byte) value);
            case DEST_QPN -> ibv_qp_attr.dest_qp_num(attributes, (int) value);
            case PATH_MIG_STATE -> ibv_qp_attr.path_mig_state(attributes, (int) value);
        }
    }

    private static long get(MemorySegment attributes, Field field) {
        return switch (field) {
            case ACCESS -> ibv_qp_attr.qp_access_flags(attributes);
            case PKEY_INDEX -> Short.toUnsignedLong(ibv_qp_attr.pkey_index(attributes));
            case PORT -> Byte.toUnsignedLong(ibv_qp_attr.port_num(attributes));
            case QKEY -> Integer.toUnsignedLong(ibv_qp_attr.qkey(attributes));
            case PATH_MTU -> mtuBytes(ibv_qp_attr.path_mtu(attributes));
            case TIMEOUT -> Byte.toUnsignedLong(ibv_qp_attr.timeout(attributes));
            case RETRY_COUNT -> Byte.toUnsignedLong(ibv_qp_attr.retry_cnt(attributes));
            case RNR_RETRY -> Byte.toUnsignedLong(ibv_qp_attr.rnr_retry(attributes));
            case MIN_RNR_TIMER -> Byte.toUnsignedLong(ibv_qp_attr.min_rnr_timer(attributes));
            case RQ_PSN -> Integer.toUnsignedLong(ibv_qp_attr.rq_psn(attributes));
            case SQ_PSN -> Integer.toUnsignedLong(ibv_qp_attr.sq_psn(attributes));
            case MAX_RD_ATOMIC -> Byte.toUnsignedLong(ibv_qp_attr.max_rd_atomic(attributes));
            case MAX_DEST_RD_ATOMIC -> Byte.toUnsignedLong(ibv_qp_attr.max_dest_rd_atomic(attributes));
            case DEST_QPN -> Integer.toUnsignedLong(ibv_qp_attr.dest_qp_num(attributes));
            case PATH_MIG_STATE -> Integer.toUnsignedLong(ibv_qp_attr.path_mig_state(attributes));
        };
    }

    // infiniband/verbs.h: enum ibv_mtu counts from 1 for 256 octets, each twice the one before.
    private static int mtuCode(long bytes) {
        for (int code = 1; code <= 5; code++) {
            if (mtuBytes(code) == bytes) {
                return code;
            }
        }
        throw new IllegalArgumentException("PATH_MTU must be 256, 512, 1024, 2048 or 4096, got " + bytes);
    }

    private static long mtuBytes(int code) {
        return code == 0 ? 0 : (long) SMALLEST_MTU << code;
    }
}
