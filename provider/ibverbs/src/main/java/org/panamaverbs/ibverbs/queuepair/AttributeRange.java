package org.panamaverbs.ibverbs.queuepair;

import org.panamaverbs.api.QueuePairAttributes.Field;

/**
 * What the fields of {@code struct ibv_qp_attr} hold: a number beyond loses its high bits in them, and would be taken
 * for another one.
 */
final class AttributeRange {
    private static final long BITS_24 = 0xFF_FFFF;
    private static final long BITS_32 = 0xFFFF_FFFFL;

    private AttributeRange() {}

    /**
     * Returns {@code value} if {@code field} can have it.
     *
     * @throws IllegalArgumentException otherwise, with the range
     */
    static long checked(Field field, long value) {
        long least = field == Field.QKEY ? Integer.MIN_VALUE : 0; // an int with its highest bit set is a key, too
        long most = most(field);
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    field + " must be " + Math.max(0, least) + " to " + most + ", got " + value);
        }
        return value;
    }

    private static long most(Field field) {
        return switch (field) {
            case ACCESS -> Integer.MAX_VALUE;
            case PKEY_INDEX -> 0xFFFF;
            case PORT, MAX_RD_ATOMIC, MAX_DEST_RD_ATOMIC -> 0xFF;
            case QKEY -> BITS_32;
            case PATH_MTU -> 4096;
            case TIMEOUT, MIN_RNR_TIMER -> 31; // 5 bits
            case RETRY_COUNT, RNR_RETRY -> 7; // 3 bits
            case EN_SQD_ASYNC_NOTIFY -> 1; // tells whether
            case PATH_MIG_STATE -> 2; // enum ibv_mig_state
            case RQ_PSN, SQ_PSN, DEST_QPN -> BITS_24;
        };
    }
}
