package org.panamaverbs.ibverbs.queuepair;

import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;

/**
 * The transitions of a queue pair and what each needs, as bits of {@code enum ibv_qp_attr_mask} (InfiniBand
 * Architecture 1.4, table 104; {@code ibv_modify_qp(3)}).
 */
final class QpTransition {
    /** {@code IBV_QP_STATE}. */
    static final int STATE = 1;
    /** {@code IBV_QP_CUR_STATE}. */
    static final int CURRENT_STATE = 1 << 1;
    /** {@code IBV_QP_AV}. */
    static final int ADDRESS = 1 << 7;
    /** {@code IBV_QP_CAP}. */
    static final int CAPACITIES = 1 << 19;
    /** {@code IBV_QP_ALT_PATH}. */
    static final int ALTERNATE_PATH = 1 << 14;

    private QpTransition() {}

    /** Returns the bit of {@code field}. */
    static int bit(Field field) {
        return 1
                << switch (field) {
                    case EN_SQD_ASYNC_NOTIFY -> 2;
                    case ACCESS -> 3;
                    case PKEY_INDEX -> 4;
                    case PORT -> 5;
                    case QKEY -> 6;
                    case PATH_MTU -> 8;
                    case TIMEOUT -> 9;
                    case RETRY_COUNT -> 10;
                    case RNR_RETRY -> 11;
                    case RQ_PSN -> 12;
                    case MAX_RD_ATOMIC -> 13;
                    case MIN_RNR_TIMER -> 15;
                    case SQ_PSN -> 16;
                    case MAX_DEST_RD_ATOMIC -> 17;
                    case PATH_MIG_STATE -> 18;
                    case DEST_QPN -> 20;
                };
    }

    /** Tells whether there is a transition from {@code from} to {@code to}; staying is one except in RTR and ERROR. */
    static boolean exists(QueuePairState from, QueuePairState to) {
        if (to == QueuePairState.RESET || to == QueuePairState.ERROR) {
            return true;
        }
        return switch (from) {
            case RESET -> to == QueuePairState.INIT;
            case INIT -> to == QueuePairState.INIT || to == QueuePairState.RTR;
            case RTR -> to == QueuePairState.RTS;
            case RTS, SQD -> to == QueuePairState.RTS || to == QueuePairState.SQD;
            case SQE -> to == QueuePairState.RTS;
            case ERROR -> false;
        };
    }

    /** Returns what the transition needs besides the state. */
    static int required(QueuePairType type, QueuePairState from, QueuePairState to) {
        return switch (from) {
            case RESET -> to == QueuePairState.INIT ? toInit(type) : 0;
            case INIT -> to == QueuePairState.RTR ? toRtr(type) : 0;
            case RTR -> to == QueuePairState.RTS ? toRts(type) : 0;
            case RTS, SQD, SQE, ERROR -> 0;
        };
    }

    private static int toInit(QueuePairType type) {
        int port = STATE | bit(Field.PORT);
        return switch (type) {
            case RC, UC, XRC_SEND, XRC_RECV -> port | bit(Field.PKEY_INDEX) | bit(Field.ACCESS);
            case UD -> port | bit(Field.PKEY_INDEX) | bit(Field.QKEY);
            case RAW_PACKET -> port;
            case DRIVER -> STATE; // the rest is the vendor's
        };
    }

    private static int toRtr(QueuePairType type) {
        int connected = STATE | ADDRESS | bit(Field.PATH_MTU) | bit(Field.DEST_QPN) | bit(Field.RQ_PSN);
        return switch (type) {
            case RC, XRC_RECV -> connected | bit(Field.MAX_DEST_RD_ATOMIC) | bit(Field.MIN_RNR_TIMER);
            case UC, XRC_SEND -> connected;
            case UD, RAW_PACKET, DRIVER -> STATE;
        };
    }

    private static int toRts(QueuePairType type) {
        int psn = STATE | bit(Field.SQ_PSN);
        return switch (type) {
            case RC, XRC_SEND ->
                psn | bit(Field.TIMEOUT) | bit(Field.RETRY_COUNT) | bit(Field.RNR_RETRY) | bit(Field.MAX_RD_ATOMIC);
            case UC, UD -> psn;
            case XRC_RECV -> psn | bit(Field.TIMEOUT);
            case RAW_PACKET, DRIVER -> STATE;
        };
    }
}
