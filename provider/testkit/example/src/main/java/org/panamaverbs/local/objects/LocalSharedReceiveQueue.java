package org.panamaverbs.local.objects;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.local.context.Device;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.context.OpenDevice;
import org.panamaverbs.local.work.ReceiveRequest;
import org.panamaverbs.local.work.ReceiveRing;
import org.panamaverbs.memory.ManagedResource;

/** Receives that several queue pairs take from. */
public final class LocalSharedReceiveQueue extends ManagedResource implements SharedReceiveQueue {
    private final OpenDevice device;
    private final ManagedResource domain;
    private final SharedReceiveQueueConfig config;
    private final ReceiveRing receives;
    private int limit;

    LocalSharedReceiveQueue(OpenDevice device, ManagedResource domain, SharedReceiveQueueConfig config) {
        super("shared receive queue " + Fabric.nextNumber(), domain);
        this.device = device;
        this.domain = domain;
        this.config = config;
        receives = new ReceiveRing(config.maxWr(), config.maxSge());
    }

    ManagedResource domain() {
        return domain;
    }

    @Override
    public SharedReceiveQueueConfig config() {
        return config;
    }

    @Override
    public int postRecv(long wrId, long address, long length, int lkey) {
        synchronized (Fabric.LOCK) {
            requireOpen();
            return receives.post(wrId, address, length, lkey);
        }
    }

    @Override
    public int postRecv(long wrId, SgList list) {
        synchronized (Fabric.LOCK) {
            requireOpen();
            return receives.post(wrId, list);
        }
    }

    @Override
    public int postRecv(ReceiveList list, int first, int count) {
        synchronized (Fabric.LOCK) {
            requireOpen();
            Objects.checkFromIndexSize(first, count, list.count());
            return receives.post(list, first, count);
        }
    }

    /** Returns the receive that a message takes, null if there is none; the limit's event is raised here. */
    @Nullable
    ReceiveRequest take() {
        ReceiveRequest taken = receives.take();
        if (receives.count() < limit) {
            limit = 0;
            device.raise(
                    new AsyncEvent(AsyncEvent.Type.SRQ_LIMIT_REACHED, this, receives.count() + " receives are left"));
        }
        return taken;
    }

    @Override
    public int available() {
        synchronized (Fabric.LOCK) {
            requireOpen();
            return receives.count();
        }
    }

    @Override
    public void resize(int newMaxWr) {
        requireOpen();
        Device.LIMITS.require(Feature.SRQ_RESIZE);
    }

    @Override
    public void armLimit(int newLimit) {
        synchronized (Fabric.LOCK) {
            requireOpen();
            limit = Device.LIMITS.checked("limit", newLimit, 0, config.maxWr());
        }
    }

    @Override
    public int limit() {
        synchronized (Fabric.LOCK) {
            requireOpen();
            return limit;
        }
    }
}
