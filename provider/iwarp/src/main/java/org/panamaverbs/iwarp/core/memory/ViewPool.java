package org.panamaverbs.iwarp.core.memory;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Where a stream finds its {@link RegionViews}, without making any for each operation. It keeps no region's memory
 * reachable. Not thread-safe.
 */
public final class ViewPool {
    private static final int WAYS = 256;
    private static final int WAY_SHIFT = Long.SIZE - 8;
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private final @Nullable WeakReference<RegionViews>[] known = none();

    @SuppressWarnings("unchecked") // of references to one type only
    private static @Nullable WeakReference<RegionViews>[] none() {
        return (WeakReference<RegionViews>[]) new WeakReference<?>[WAYS];
    }

    /** Returns the views of {@code region}, which the caller has pinned, for what begins at {@code offset} in it. */
    public RegionViews of(Region region, long offset) {
        Region memory = region.memory();
        long chunk = offset >>> RegionViews.CHUNK_SHIFT;
        int way = (int) ((((memory.stag() & 0xFFFF_FFFFL) + chunk) * GOLDEN_RATIO) >>> WAY_SHIFT);
        WeakReference<RegionViews> reference = known[way];
        RegionViews views = reference == null ? null : reference.get();
        return views != null && views.are(memory, offset) ? views : change(way, views, memory, chunk);
    }

    private RegionViews change(int way, @Nullable RegionViews old, Region memory, long chunk) {
        if (old != null) {
            old.forget(this);
        }
        RegionViews made = new RegionViews(memory, chunk);
        memory.keep(this, made);
        known[way] = new WeakReference<>(made);
        return made;
    }
}
