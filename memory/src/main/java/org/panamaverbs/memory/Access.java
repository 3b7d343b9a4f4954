package org.panamaverbs.memory;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.StringJoiner;

/**
 * A right granted when memory is registered. Rights travel as masks of {@link #bit} on the data path and in the encoded
 * form of {@link RemoteBuffer}; the bits are those of {@code enum ibv_access_flags} in {@code infiniband/verbs.h}.
 */
public enum Access {
    /** The local adapter may write: the buffer can be a receive buffer, a read sink or the target of an atomic. */
    LOCAL_WRITE(1),
    /** Peers may RDMA Write. Needs {@link #LOCAL_WRITE}. */
    REMOTE_WRITE(1 << 1),
    /** Peers may RDMA Read. */
    REMOTE_READ(1 << 2),
    /** Peers may perform atomic operations. Needs {@link #LOCAL_WRITE}. */
    REMOTE_ATOMIC(1 << 3),
    /** Memory windows may be bound over the buffer. */
    MEMORY_WINDOW_BIND(1 << 4),
    /** The first byte has tagged offset 0 instead of its address. */
    ZERO_BASED(1 << 5),
    /** Pages are not pinned but faulted in by the adapter (on-demand paging). */
    ON_DEMAND(1 << 6),
    /** The memory is made of huge pages ({@code IBV_ACCESS_HUGETLB}). */
    HUGE_PAGES(1 << 7),
    /**
     * Peers may flush what they wrote until all of this host can see it ({@code IBV_ACCESS_FLUSH_GLOBAL}). Memory
     * windows do not grant it.
     */
    FLUSH_GLOBAL(1 << 8),
    /**
     * Peers may flush what they wrote until it outlasts a loss of power ({@code IBV_ACCESS_FLUSH_PERSISTENT}). Needs
     * persistent memory: devices do not register other memory with it. Memory windows do not grant it.
     */
    FLUSH_PERSISTENT(1 << 9),
    /** The adapter may reorder its accesses across the bus. Optional: devices without it ignore it. */
    RELAXED_ORDERING(1 << 20);

    /** All bits that {@link #bit} can be. */
    static final int KNOWN = mask(values());

    /** The rights of a peer. */
    static final int REMOTE = mask(REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, FLUSH_GLOBAL, FLUSH_PERSISTENT);

    private final int bit;

    Access(int bit) {
        this.bit = bit;
    }

    /** The one bit of this right, as in {@code enum ibv_access_flags}. */
    public int bit() {
        return bit;
    }

    /** Whether the mask grants this right. */
    public boolean in(int mask) {
        return (mask & bit) != 0;
    }

    /** The mask that grants exactly these rights; 0 for none. */
    public static int mask(Access... rights) {
        int mask = 0;
        for (Access right : rights) {
            mask |= right.bit;
        }
        return mask;
    }

    /** The rights that a mask grants, unmodifiable; bits that are no right of this enum are left out. */
    public static Set<Access> set(int mask) {
        Set<Access> rights = EnumSet.noneOf(Access.class);
        for (Access right : values()) {
            if (right.in(mask)) {
                rights.add(right);
            }
        }
        return Collections.unmodifiableSet(rights);
    }

    /** The names in a mask joined by {@code |}, unknown bits as one hexadecimal number, {@code none} for 0. */
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
