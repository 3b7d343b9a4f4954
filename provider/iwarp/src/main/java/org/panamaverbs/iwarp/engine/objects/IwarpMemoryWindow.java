package org.panamaverbs.iwarp.engine.objects;

import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.STag;

/** A memory window: an STag of its own, which streams bind to parts of registered buffers. */
final class IwarpMemoryWindow extends ManagedResource implements MemoryWindow {
    private static final int REMOTE_RIGHTS = Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

    private record Binding(int stag, long taggedOffset, long length, int access) {}

    private final ManagedResource domain;
    private final Regions regions;
    private final Type type;
    private final Region region;
    private volatile Binding binding;

    IwarpMemoryWindow(ManagedResource domain, Regions regions, Type type, Region region) {
        super(String.format("memory window 0x%08x", region.stag()), domain);
        this.domain = domain;
        this.regions = regions;
        this.type = type;
        this.region = region;
        try {
            binding = new Binding(region.stag(), 0, -1, 0);
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
        requireOpen();
        Binding current = binding;
        if (current.length() < 0) {
            throw new IllegalStateException(resourceName() + " was never bound");
        }
        return RemoteBuffer.of(
                current.stag(), current.taggedOffset(), current.length(), current.access() & REMOTE_RIGHTS);
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
    void bound(int stag, long taggedOffset, long length, int access) {
        binding = new Binding(stag, taggedOffset, length, access);
    }

    @Override
    protected void release() {
        regions.disable(region);
    }
}
