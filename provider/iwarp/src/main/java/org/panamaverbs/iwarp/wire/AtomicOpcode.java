package org.panamaverbs.iwarp.wire;

import org.jspecify.annotations.Nullable;

/**
 * The AOpCode of an Atomic Request (RFC 7306 §5.2.1). Code 1 was Swap in an early draft and is reserved; 3 to 15 are
 * unassigned. None of those is accepted.
 */
public enum AtomicOpcode {
    /** FetchAdd, masked. */
    FETCH_ADD(0),
    /** CmpSwap, masked. */
    COMPARE_SWAP(2);

    private final int code;

    AtomicOpcode(int code) {
        this.code = code;
    }

    /** The operation with this number, or null when RFC 7306 assigns none. */
    public static @Nullable AtomicOpcode of(int code) {
        return switch (code) {
            case 0 -> FETCH_ADD;
            case 2 -> COMPARE_SWAP;
            default -> null;
        };
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }
}
