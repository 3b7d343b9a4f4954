package org.panamaverbs.iwarp.core.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All STags of a context. An STag is a random 24-bit index and an 8-bit key, so that values are sparse and hard to
 * predict (RFC 5040 §8.1.1). An index that was removed rests until {@value #REST} others were (RFC 5042 §6.1.1), so
 * that who still names it does not meet another's memory. Lookups are lock-free and allocate nothing; changes replace
 * the short chain of a bucket.
 */
public final class StagTable {
    /** How many removals an index rests at least. */
    public static final int REST = 4096;

    private static final int KEY_BITS = 8;
    private static final int MAX_INDEX = (1 << 24) - 1;

    private static final class Node {
        private final int index;
        // Null once it was removed while there was no memory to take the node out; revoked before, so that it does not
        // matter when others see it.
        private @Nullable Region region;
        private final @Nullable Node next;

        Node(int index, @Nullable Region region, @Nullable Node next) {
            this.index = index;
            this.region = region;
            this.next = next;
        }
    }

    private final AtomicReferenceArray<@Nullable Node> buckets;
    private final AtomicInteger count = new AtomicInteger();
    private final int maxRegions;
    private final IntSupplier random;
    // The indexes that were removed last, 0 where none was yet; guarded by itself.
    private final int[] resting;
    private int nextResting;

    /**
     * Makes an empty table.
     *
     * @param maxRegions registrations and windows, 1 to 2^22
     * @param random where indexes and keys come from; must be thread-safe and, outside of tests, unpredictable
     */
    public StagTable(int maxRegions, IntSupplier random) {
        this(maxRegions, random, REST);
    }

    /** Makes a table whose indexes rest for {@code rest} removals; 0 to play what others have recorded. */
    public StagTable(int maxRegions, IntSupplier random, int rest) {
        if (maxRegions < 1 || maxRegions > 1 << 22) {
            throw new IllegalArgumentException("maxRegions must be 1 to 2^22, got " + maxRegions);
        }
        this.maxRegions = maxRegions;
        this.random = random;
        resting = new int[rest];
        buckets = new AtomicReferenceArray<>(Integer.highestOneBit(Math.min(maxRegions, 1 << 14) * 2 - 1) * 2);
    }

    /** Enables {@code segment} under a new STag; null if the table is full. */
    public @Nullable Region enable(MemorySegment segment, long baseTaggedOffset, int access, int domainId) {
        return add(segment, baseTaggedOffset, access, domainId);
    }

    /**
     * Reserves an STag for a memory window of the domain, without access until it is bound; null if the table is full.
     */
    public @Nullable Region reserve(int domainId) {
        return add(null, 0, 0, domainId);
    }

    private @Nullable Region add(@Nullable MemorySegment segment, long base, int access, int domainId) {
        if (count.incrementAndGet() > maxRegions) {
            count.decrementAndGet();
            return null;
        }
        boolean added = false;
        try {
            Region region = addCounted(segment, base, access, domainId);
            added = true;
            return region;
        } finally {
            if (!added) {
                count.decrementAndGet();
            }
        }
    }

    private Region addCounted(@Nullable MemorySegment segment, long base, int access, int domainId) {
        while (true) {
            int stag = random.getAsInt();
            int index = stag >>> KEY_BITS;
            if (index == 0 || index == MAX_INDEX || rests(index)) {
                continue;
            }
            Region region =
                    segment == null ? new Region(stag, domainId) : new Region(stag, segment, base, access, domainId);
            if (insert(index, region)) {
                return region;
            }
        }
    }

    private boolean rests(int index) {
        synchronized (resting) {
            for (int removed : resting) {
                if (removed == index) {
                    return true;
                }
            }
            return false;
        }
    }

    private void rest(int index) {
        synchronized (resting) {
            if (resting.length > 0) {
                resting[nextResting] = index;
                nextResting = (nextResting + 1) % resting.length;
            }
        }
    }

    private boolean insert(int index, Region region) {
        int bucket = bucket(index);
        while (true) {
            Node head = buckets.get(bucket);
            for (Node node = head; node != null; node = node.next) {
                if (node.index == index) {
                    return false;
                }
            }
            if (buckets.compareAndSet(bucket, head, new Node(index, region, head))) {
                return true;
            }
        }
    }

    /**
     * Returns the region whose STag has the index of {@code stag}, null without. Pin it to learn whether the key fits.
     */
    public @Nullable Region find(int stag) {
        int index = stag >>> KEY_BITS;
        for (Node node = buckets.get(bucket(index)); node != null; node = node.next) {
            if (node.index == index) {
                return node.region;
            }
        }
        return null;
    }

    /** Removes {@code region}, which must be quiescent. Does not fail for lack of memory. */
    public synchronized void remove(Region region) {
        int index = region.stag() >>> KEY_BITS;
        int bucket = bucket(index);
        region.forget();
        // Before it is free.
        rest(index);
        while (true) {
            Node head = buckets.get(bucket);
            Node found = node(head, region);
            if (found == null) {
                return;
            }
            if (isTaken(bucket, head, found, region)) {
                count.decrementAndGet();
                return;
            }
        }
    }

    private static @Nullable Node node(@Nullable Node head, Region region) {
        Node node = head;
        while (node != null && node.region != region) {
            node = node.next;
        }
        return node;
    }

    private boolean isTaken(int bucket, @Nullable Node head, Node found, Region region) {
        try {
            return buckets.compareAndSet(bucket, head, without(head, region));
        } catch (OutOfMemoryError e) {
            found.region = null;
            return true;
        }
    }

    private static @Nullable Node without(@Nullable Node node, Region region) {
        if (node == null) {
            return null;
        }
        if (node.region == region) {
            return node.next;
        }
        if (node.region == null) {
            return without(node.next, region);
        }
        Node rest = without(node.next, region);
        return rest == node.next ? node : new Node(node.index, node.region, rest);
    }

    /** Returns how many STags there are. */
    public int size() {
        return count.get();
    }

    private int bucket(int index) {
        return index & buckets.length() - 1;
    }
}
