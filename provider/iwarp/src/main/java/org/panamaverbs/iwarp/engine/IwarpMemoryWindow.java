package org.panamaverbs.iwarp.engine;

import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Window;
import org.panamaverbs.spi.support.WindowBinding;

/** A memory window: an STag of its own, which streams bind to parts of registered buffers. */
final class IwarpMemoryWindow extends Window {
    private final Regions regions;
    private final Region region;
    /** What the bind that was posted last says. */
    private volatile WindowBinding binding;

    IwarpMemoryWindow(ManagedResource domain, Regions regions, Type type, Region region) {
        super(String.format("memory window 0x%08x", region.stag()), domain, type);
        this.regions = regions;
        this.region = region;
        try {
            binding = WindowBinding.none(region.stag());
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    Region region() {
        return region;
    }

    @Override
    protected WindowBinding binding() {
        return binding;
    }

    @Override
    protected int nextRkey() {
        int next;
        do {
            next = region.nextStag(regions.randomKey());
        } while (next == binding.rkey());
        return next;
    }

    /** Remembers the bind that was posted last. */
    void bound(WindowBinding now) {
        binding = now;
    }

    @Override
    protected void destroy() {
        regions.disable(region);
    }
}
