package org.panamaverbs.local.context;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ResourceException;

/**
 * The registrations of a device by key: a place in the table, and 8 bits that differ from those of who had it before.
 * Used with the lock of {@link Fabric} held; a region that was removed is accessed by nobody.
 */
public final class RegionTable {
    private static final int GENERATION_BITS = 8;

    private final Deque<Integer> free = new ArrayDeque<>();
    private @Nullable Region[] regions = new Region[16];
    private byte[] generations = new byte[16];
    private int used;

    /** Adds {@code region} and returns its key, which is not 0. */
    public int add(Region region) {
        Integer freed = free.poll();
        if (freed == null && used == Device.CAPABILITIES.maxMr()) {
            throw new ResourceException(
                    "reg_mr", "device " + Device.NAME + " has " + used + " registrations: close some first", 0);
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
    public void remove(int key) {
        int place = (key >>> GENERATION_BITS) - 1;
        regions[place] = null;
        free.add(place);
    }

    /** Returns the region of {@code key}, null if there is none. */
    @Nullable
    public Region find(int key) {
        int place = (key >>> GENERATION_BITS) - 1;
        return place >= 0 && place < used && generations[place] == (byte) key ? regions[place] : null;
    }
}
