package org.panamaverbs.local.context;

import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.support.AsyncEventQueue;
import org.panamaverbs.memory.ManagedResource;

/** What an open device owns: registrations by key, and the events that wait for the application. */
public abstract class OpenDevice extends ManagedResource {
    private final RegionTable regions = new RegionTable();
    private final AsyncEventQueue events = new AsyncEventQueue(this);

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
    }

    /** Returns the events, for the application's thread that takes them. */
    protected final AsyncEventQueue events() {
        return events;
    }

    @Override
    protected void destroy() {
        events.wake();
    }
}
