package org.panamaverbs.local;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeviceInfo;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.ListenerConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.memory.ManagedResource;

/** An open device; as many as one likes, and each reaches all of the process. */
final class LocalVerbs extends ManagedResource implements Verbs {
    private static final int MAX_EVENTS = 4096;

    private final String selection;
    private final RegionTable regions = new RegionTable();
    private final ConnectionManager connections = new ConnectionManager(this);
    private final Deque<AsyncEvent> events = new ArrayDeque<>();
    private int droppedEvents;

    LocalVerbs(String selection) {
        super("device " + Device.NAME + " " + Fabric.nextNumber());
        this.selection = selection;
    }

    RegionTable regions() {
        return regions;
    }

    @Override
    public String provider() {
        return Device.PROVIDER;
    }

    @Override
    public String selection() {
        return selection;
    }

    @Override
    public DeviceInfo device() {
        return Device.INFO;
    }

    @Override
    public Capabilities capabilities() {
        return Device.CAPABILITIES;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return new LocalProtectionDomain(this);
    }

    @Override
    public CompletionQueue completionQueue(CompletionQueueConfig config) {
        Device.LIMITS.completions(config.capacity());
        config.require(Device.CAPABILITIES, Device.NAME);
        return new LocalCompletionQueue(this, config.capacity(), own(config.channel()));
    }

    private @Nullable LocalCompletionChannel own(@Nullable CompletionChannel channel) {
        if (channel == null) {
            return null;
        }
        if (channel instanceof LocalCompletionChannel ours && ours.isOf(this)) {
            return ours;
        }
        throw new IllegalArgumentException("the completion channel is not of " + resourceName());
    }

    @Override
    public CompletionChannel completionChannel() {
        return new LocalCompletionChannel(this);
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return connections.connect(address, connections.own(queuePair), config, deadline, false);
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return connections.withNew(queuePair, made -> connections.connect(address, made, config, deadline, true));
    }

    @Override
    public Listener listen(InetSocketAddress address, ListenerConfig config) {
        requireOpen();
        return connections.listen(address, config);
    }

    /** Adds {@code event} for the application; called with the lock held. */
    void raise(AsyncEvent event) {
        if (events.size() == MAX_EVENTS) {
            droppedEvents++;
            return;
        }
        String dropped = droppedEvents == 0 ? "" : "; " + droppedEvents + " events before it were dropped";
        droppedEvents = 0;
        events.add(new AsyncEvent(event.type(), event.source(), event.detail() + dropped, event.terminate()));
        Fabric.LOCK.notifyAll();
    }

    @Override
    public Optional<AsyncEvent> asyncEvent(Deadline deadline) {
        synchronized (Fabric.LOCK) {
            requireOpen();
            try {
                Fabric.awaitInterruptibly(() -> !events.isEmpty() || !isOpen(), deadline);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new WaitInterruptedException("asyncEvent", "interrupted while waiting for events");
            }
            requireOpen();
            return Optional.ofNullable(events.poll());
        }
    }

    @Override
    protected void destroy() {
        synchronized (Fabric.LOCK) {
            Fabric.LOCK.notifyAll();
        }
    }
}
