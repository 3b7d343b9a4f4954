package org.panamaverbs.local.context;

import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.support.AsyncEventQueue;
import org.panamaverbs.api.watch.DeviceWatch;
import org.panamaverbs.memory.ManagedResource;

/** What an open device owns: registrations by key, and the events that wait for the application. */
public abstract class OpenDevice extends ManagedResource {
    private final RegionTable regions = new RegionTable();
    private final AsyncEventQueue events = new AsyncEventQueue(this);
    private final DeviceWatch watch = new DeviceWatch(Device.PROVIDER, Device.NAME);

    /** Creates an open device without anything. */
    protected OpenDevice() {
        super("device " + Device.NAME + " " + Fabric.nextNumber());
    }

    /** Returns the registrations; with the lock of {@link Fabric} held. */
    public final RegionTable regions() {
        return regions;
    }

    /** Adds {@code event} for the application. */
    public final void raise(AsyncEvent event) {
        events.add(event);
        watch.raised(event);
    }

    /** Returns what those who watch the device are told by. */
    public final DeviceWatch watch() {
        return watch;
    }

    /** Returns the events, for the application's thread that takes them. */
    protected final AsyncEventQueue events() {
        return events;
    }

    @Override
    protected void destroy() {
        events.wake();
        watch.close();
    }
}
