package org.panamaverbs.memory;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.StringJoiner;

/**
 * A right granted when memory is registered, and to peers per queue pair, {@code enum ibv_access_flags}. The data path
 * and the encoded form of {@link RemoteBuffer} use masks of {@link #bit}.
 */
public enum Access {
    /** The local adapter may write: needed for receives, the sink of a Read and the result of an atomic. */
    LOCAL_WRITE(1),
    /** Peers may RDMA Write. Needs {@link #LOCAL_WRITE}. */
    REMOTE_WRITE(1 << 1),
    /** Peers may RDMA Read. */
    REMOTE_READ(1 << 2),
    /** Peers may perform atomics. Needs {@link #LOCAL_WRITE}. */
    REMOTE_ATOMIC(1 << 3),
    /** Memory windows may be bound over the buffer. */
    MEMORY_WINDOW_BIND(1 << 4),
    /** The first byte has iova (tagged offset) 0 instead of its address. */
    ZERO_BASED(1 << 5),
    /** Pages are not pinned; the adapter faults them in (on-demand paging). */
    ON_DEMAND(1 << 6),
    /** The memory is made of huge pages ({@code IBV_ACCESS_HUGETLB}). */
    HUGE_PAGES(1 << 7),
    /**
     * Peers may flush their writes until the whole host sees them ({@code IBV_ACCESS_FLUSH_GLOBAL}). Not granted by
     * memory windows.
     */
    FLUSH_GLOBAL(1 << 8),
    /**
     * Peers may flush their writes until they survive a loss of power ({@code IBV_ACCESS_FLUSH_PERSISTENT}). Needs
     * persistent memory: devices refuse to register other memory with it. Not granted by memory windows.
     */
    FLUSH_PERSISTENT(1 << 9),
    /** The adapter may reorder its accesses on the bus. Optional: devices without it ignore it. */
    RELAXED_ORDERING(1 << 20);

    /** All bits that {@link #bit} can be. */
    static final int KNOWN = mask(values());

    /** The rights of a peer. */
    static final int REMOTE = mask(REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, FLUSH_GLOBAL, FLUSH_PERSISTENT);

    private final int bit;

    Access(int bit) {
        this.bit = bit;
    }

    /** Returns the bit of this right in {@code enum ibv_access_flags}. */
    public int bit() {
        return bit;
    }

    /** Returns whether {@code mask} contains this right. */
    public boolean in(int mask) {
        return (mask & bit) != 0;
    }

    /** Returns the mask of these rights; 0 for none. */
    public static int mask(Access... rights) {
        int mask = 0;
        for (Access right : rights) {
            mask |= right.bit;
        }
        return mask;
    }

    /** Returns the mask of these rights; 0 for none. */
    public static int mask(Set<Access> rights) {
        int mask = 0;
        for (Access right : rights) {
            mask |= right.bit;
        }
        return mask;
    }

    /** Returns the rights in {@code mask}, unmodifiable; unknown bits are ignored. */
    public static Set<Access> set(int mask) {
        Set<Access> rights = EnumSet.noneOf(Access.class);
        for (Access right : values()) {
            if (right.in(mask)) {
                rights.add(right);
            }
        }
        return Collections.unmodifiableSet(rights);
    }

    /**
     * Returns the names in {@code mask} joined by {@code |}, unknown bits as one hexadecimal number, {@code none} for
     * 0.
     */
    public static String format(int mask) {
        if (mask == 0) {
            return "none";
        }
        StringJoiner names = new StringJoiner("|");
        set(mask).forEach(right -> names.add(right.name()));
        int unknown = mask & ~KNOWN;
        if (unknown != 0) {
            names.add("0x" + Integer.toHexString(unknown));
        }
        return names.toString();
    }
}
