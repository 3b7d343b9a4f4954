package org.panamaverbs.iwarp.wire;

import org.jspecify.annotations.Nullable;

/**
 * The AOpCode of an Atomic Request (RFC 7306 §5.2.1). Code 1 was Swap in an early draft and is reserved; 3 to 15 are
 * unassigned.
 */
public enum AtomicOpcode {
    /** FetchAdd, masked. */
    FETCH_ADD(0),
    /** Swap of draft-ietf-storm-rdmap-ext-01 §5.1.2; RFC 7306 reserves its code. */
    DRAFT_SWAP(1),
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

    /** The operation with this number on a stream that knows the draft's Swap as well, or null without one. */
    public static @Nullable AtomicOpcode ofDraft(int code) {
        return code == DRAFT_SWAP.code ? DRAFT_SWAP : of(code);
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }
}
