package org.panamaverbs.ibverbs.context;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The registrations of a context by local key. Finding allocates nothing and takes no lock; adding and removing are
 * serialized.
 */
public final class RegionTable {
    private static final int INITIAL = 64;
    private static final Region REMOVED = new Region(0, 0, MemorySegment.NULL, MemorySegment.NULL, null, false);

    private volatile AtomicReferenceArray<@Nullable Region> slots = new AtomicReferenceArray<>(INITIAL);
    private int used;
    private int live;

    /** Returns the registration with {@code lkey}, or null. */
    @Nullable
    public Region find(int lkey) {
        AtomicReferenceArray<@Nullable Region> table = slots;
        int mask = table.length() - 1;
        int index = hash(lkey) & mask;
        while (true) {
            Region region = table.get(index);
            if (region == null) {
                return null;
            }
            if (region != REMOVED && region.lkey() == lkey) {
                return region;
            }
            index = (index + 1) & mask;
        }
    }

    public synchronized void add(Region region) {
        if ((used + 1) * 2 > slots.length()) {
            rebuild();
        }
        insert(slots, region);
        used++;
        live++;
    }

    public synchronized void remove(Region region) {
        AtomicReferenceArray<@Nullable Region> table = slots;
        int mask = table.length() - 1;
        for (int index = hash(region.lkey()) & mask; table.get(index) != null; index = (index + 1) & mask) {
            if (table.get(index) == region) {
                table.set(index, REMOVED);
                live--;
                return;
            }
        }
    }

    private void rebuild() {
        int size = INITIAL;
        while (size < (live + 1) * 4) {
            size *= 2;
        }
        AtomicReferenceArray<@Nullable Region> grown = new AtomicReferenceArray<>(size);
        for (int i = 0; i < slots.length(); i++) {
            Region region = slots.get(i);
            if (region != null && region != REMOVED) {
                insert(grown, region);
            }
        }
        used = live;
        slots = grown;
    }

    private static void insert(AtomicReferenceArray<@Nullable Region> table, Region region) {
        int mask = table.length() - 1;
        int index = hash(region.lkey()) & mask;
        while (table.get(index) != null) {
            index = (index + 1) & mask;
        }
        table.set(index, region);
    }

    private static int hash(int lkey) {
        int mixed = lkey * 0x9E3779B9;
        return mixed ^ mixed >>> 16;
    }
}
