package org.panamaverbs.spi.software;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.ManagedResource;

/** Receives that several queue pairs take from. */
final class SoftwareSharedReceiveQueue extends ManagedResource implements SharedReceiveQueue {
    private final SoftwareDevice device;
    private final ManagedResource domain;
    private final SharedReceiveQueueConfig config;
    private final ReceiveRing receives;
    private int limit;

    SoftwareSharedReceiveQueue(SoftwareDevice device, ManagedResource domain, SharedReceiveQueueConfig config) {
        super("shared receive queue " + SoftwareDevice.nextNumber(), domain);
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
        synchronized (device.lock()) {
            requireOpen();
            return receives.post(wrId, address, length, lkey);
        }
    }

    @Override
    public int postRecv(long wrId, SgList list) {
        synchronized (device.lock()) {
            requireOpen();
            return receives.post(wrId, list);
        }
    }

    @Override
    public int postRecv(ReceiveList list, int first, int count) {
        synchronized (device.lock()) {
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
        synchronized (device.lock()) {
            requireOpen();
            return receives.count();
        }
    }

    @Override
    public void resize(int newMaxWr) {
        requireOpen();
        device.limits().require(Feature.SRQ_RESIZE);
    }

    @Override
    public void armLimit(int newLimit) {
        synchronized (device.lock()) {
            requireOpen();
            limit = device.limits().checked("limit", newLimit, 0, config.maxWr());
        }
    }

    @Override
    public int limit() {
        synchronized (device.lock()) {
            requireOpen();
            return limit;
        }
    }
}
