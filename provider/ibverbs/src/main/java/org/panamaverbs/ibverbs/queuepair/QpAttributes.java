package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.StringJoiner;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.ext.AlternatePath;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_qp_attr;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.post.IbvAddressHandle;

/** {@code struct ibv_qp_attr} with its mask: what the API's attributes are there, and why a transition was refused. */
public final class QpAttributes {
    /** Each bit of {@code enum ibv_qp_attr_mask} that can be queried. */
    public static final int ALL = 0x1FFFFF;

    private static final QueuePairState[] STATES = QueuePairState.values(); // enum ibv_qp_state in order
    private static final int SMALLEST_MTU = 128;

    private QpAttributes() {}

    /** Returns the state that {@code attributes} have. */
    public static QueuePairState state(MemorySegment attributes) {
        int code = ibv_qp_attr.qp_state(attributes);
        if (code < 0 || code >= STATES.length) {
            throw new UnsupportedOperationException("the driver does not report the state of the queue pair: "
                    + (code == STATES.length ? "IBV_QPS_UNKNOWN" : code));
        }
        return STATES[code];
    }

    /** Tells whether the driver told a state, and not IBV_QPS_UNKNOWN. */
    static boolean hasState(MemorySegment attributes) {
        int code = ibv_qp_attr.qp_state(attributes);
        return code >= 0 && code < STATES.length;
    }

    /**
     * Writes what a new queue pair of {@code type} is moved to INIT with, and returns the mask.
     *
     * @param rights of peers, mask of {@code Access.bit()}
     * @param port from 1
     * @param qkey of datagrams
     */
    public static int writeInitial(
            IbvContext context, QueuePairType type, int rights, int port, int qkey, MemorySegment attributes) {
        ibv_qp_attr.qp_state(attributes, code(QueuePairState.INIT));
        ibv_qp_attr.qp_access_flags(attributes, rights);
        ibv_qp_attr.port_num(attributes, (byte) port);
        ibv_qp_attr.qkey(attributes, qkey);
        return QpTransition.STATE
                | (context.isIwarp()
                        ? QpTransition.bit(Field.ACCESS)
                        : QpTransition.required(type, QueuePairState.RESET, QueuePairState.INIT));
    }

    /**
     * Writes {@code wanted}, and returns the mask.
     *
     * @throws IllegalArgumentException if a number is beyond the range of its field, or of a path's
     */
    public static int write(QueuePairAttributes wanted, MemorySegment attributes) {
        int mask = 0;
        if (wanted.state().isPresent()) {
            ibv_qp_attr.qp_state(attributes, code(wanted.state().get()));
            mask |= QpTransition.STATE;
        }
        if (wanted.currentState().isPresent()) {
            ibv_qp_attr.cur_qp_state(attributes, code(wanted.currentState().get()));
            mask |= QpTransition.CURRENT_STATE;
        }
        if (wanted.address().isPresent()) {
            IbvAddressHandle.write(wanted.address().get(), ibv_qp_attr.ah_attr(attributes));
            mask |= QpTransition.ADDRESS;
        }
        if (wanted.alternatePath().isPresent()) {
            write(wanted.alternatePath().get(), attributes);
            mask |= QpTransition.ALTERNATE_PATH;
        }
        for (Field field : Field.values()) {
            OptionalLong value = wanted.get(field);
            if (value.isPresent()) {
                set(attributes, field, AttributeRange.checked(field, value.getAsLong()));
                mask |= QpTransition.bit(field);
            }
        }
        return mask;
    }

    /**
     * Returns what {@code attributes} say of a queue pair in {@code state}.
     *
     * @param addressed whether there is an address
     */
    public static QueuePairAttributes read(MemorySegment attributes, QueuePairState state, boolean addressed) {
        QueuePairAttributes found = QueuePairAttributes.to(state);
        if (addressed) {
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

    /**
     * Returns why {@code ibv_modify_qp(3)} of {@code what} failed with {@code errno}: of EINVAL, what the transition
     * lacks.
     *
     * @param from the state that it is in
     */
    public static ResourceException refused(
            IbvContext context,
            String what,
            QueuePairType type,
            QueuePairState from,
            MemorySegment attributes,
            int mask,
            int errno) {
        QueuePairState to = (mask & QpTransition.STATE) == 0 ? from : state(attributes);
        String transition = what + " from " + from + " to " + to;
        if (errno != Errno.EINVAL || context.isIwarp()) {
            return Failure.of("ibv_modify_qp", transition, errno);
        }
        if (!QpTransition.exists(from, to)) {
            return Failure.of("ibv_modify_qp", transition, errno, "go through RESET, INIT, RTR and RTS in order");
        }
        int missing = QpTransition.required(type, from, to) & ~mask;
        return missing == 0
                ? Failure.of(
                        "ibv_modify_qp", transition, errno, "keep each of these attributes in range: " + names(mask))
                : Failure.of(
                        "ibv_modify_qp",
                        transition,
                        errno,
                        "set the attributes that the transition lacks: " + names(missing));
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

    static int code(QueuePairState state) {
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
            case EN_SQD_ASYNC_NOTIFY -> ibv_qp_attr.en_sqd_async_notify(attributes, (byte) value);
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
            case EN_SQD_ASYNC_NOTIFY -> Byte.toUnsignedLong(ibv_qp_attr.en_sqd_async_notify(attributes));
        };
    }

    // infiniband/verbs.h: enum ibv_mtu counts from 1 for 256 bytes, each twice the one before.
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
