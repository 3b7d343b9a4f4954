package org.panamaverbs.iwarp.engine.objects;

import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.support.WindowBinding;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.STag;

/** A memory window: an STag of its own, which streams bind to parts of registered buffers. */
final class IwarpMemoryWindow extends ManagedResource implements MemoryWindow {
    private final ManagedResource domain;
    private final Regions regions;
    private final Type type;
    private final Region region;
    private volatile WindowBinding binding;

    IwarpMemoryWindow(ManagedResource domain, Regions regions, Type type, Region region) {
        super(String.format("memory window 0x%08x", region.stag()), domain);
        this.domain = domain;
        this.regions = regions;
        this.type = type;
        this.region = region;
        try {
            binding = WindowBinding.none(region.stag());
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    @Override
    public Type type() {
        return type;
    }

    @Override
    public STag stag() {
        return new STag(binding.stag());
    }

    @Override
    public RemoteBuffer remote() {
        return binding.remote(this);
    }

    /** Returns the domain that it was made by. */
    ManagedResource domain() {
        return domain;
    }

    Region region() {
        return region;
    }

    /** Returns the STag of the next bind. */
    int nextStag() {
        int next;
        do {
            next = region.nextStag(regions.randomKey());
        } while (next == binding.stag());
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
