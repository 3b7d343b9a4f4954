package org.panamaverbs.spi.software;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.spi.support.Limits;

/**
 * The registrations of a device by key: a place in the table, and 8 bits that differ from those of who had it before.
 * Used with the lock of the device held; a region that was removed is accessed by nobody.
 */
final class RegionTable {
    private static final int GENERATION_BITS = 8;

    private final Deque<Integer> free = new ArrayDeque<>();
    private @Nullable Region[] regions = new Region[16];
    private byte[] generations = new byte[16];
    private final Limits limits;
    private int used;

    RegionTable(Limits limits) {
        this.limits = limits;
    }

    /** Adds {@code region} and returns its key, which is not 0. */
    int add(Region region) {
        Integer freed = free.poll();
        if (freed == null && used == limits.capabilities().maxMr()) {
            throw new ResourceException(
                    "reg_mr",
                    "device " + limits.device() + " has " + used + " registrations; remedy: close some first",
                    0);
        }
        int place = freed == null ? used++ : freed;
        if (place == regions.length) {
            regions = Arrays.copyOf(regions, 2 * place);
            generations = Arrays.copyOf(generations, 2 * place);
        }
        regions[place] = region;
        generations[place]++;
        return ((place + 1) << GENERATION_BITS) | (generations[place] & 0xFF);
    }

    /** Removes the region of {@code key}. */
    void remove(int key) {
        int place = (key >>> GENERATION_BITS) - 1;
        regions[place] = null;
        free.add(place);
    }

    /** Returns the region of {@code key}, null if there is none. */
    @Nullable
    Region find(int key) {
        int place = (key >>> GENERATION_BITS) - 1;
        return place >= 0 && place < used && generations[place] == (byte) key ? regions[place] : null;
    }
}
