package org.panamaverbs.spi.software;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.DeviceStatistics;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.AsyncEventQueue;
import org.panamaverbs.spi.support.Limits;
import org.panamaverbs.spi.support.MemberEventQueue;
import org.panamaverbs.spi.support.Ours;
import org.panamaverbs.spi.watch.DeviceWatch;

/**
 * An open device whose requests are carried out in software. A provider adds its protection domain and connection
 * setup. Any thread may call any method.
 */
public abstract class SoftwareDevice extends ManagedResource implements Verbs {
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final String provider;
    private final String selection;
    private final DeviceInfo info;
    private final Limits limits;
    private final Object lock;
    private final RegionTable regions;
    private final AsyncEventQueue events;
    private final DeviceWatch watch;

    /**
     * Opens a device.
     *
     * @param provider the name of the provider
     * @param info the identity of the device
     * @param capabilities its limits and features
     * @param selection why it was chosen, for {@link Verbs#selection()}
     * @param lock the monitor that guards the state of all objects of this device and of those it reaches; notify it
     *     after a change that others wait for
     */
    @SuppressWarnings("this-escape") // to its events, which only look whether it is open
    protected SoftwareDevice(
            String provider, DeviceInfo info, Capabilities capabilities, String selection, Object lock) {
        super("device " + info.name() + " " + nextNumber());
        this.provider = provider;
        this.info = info;
        this.selection = selection;
        this.lock = lock;
        limits = new Limits(capabilities, info.name());
        events = new AsyncEventQueue(this);
        regions = new RegionTable(limits);
        watch = new DeviceWatch(provider, info.name());
    }

    /** Returns a number that no other object of this process has. */
    static int nextNumber() {
        return NUMBERS.incrementAndGet();
    }

    /** Returns the monitor that guards the state. */
    public final Object lock() {
        return lock;
    }

    /** Returns the checks against the device's capabilities. */
    public final Limits limits() {
        return limits;
    }

    /** Returns the registrations, for use with the lock held. */
    final RegionTable regions() {
        return regions;
    }

    /** Returns the device's reports to monitoring. */
    public final DeviceWatch watch() {
        return watch;
    }

    /** Raises {@code event} for the application. */
    public final void raise(AsyncEvent event) {
        events.add(event);
        watch.raised(event);
    }

    @Override
    public final String provider() {
        return provider;
    }

    @Override
    public final String selection() {
        return selection;
    }

    @Override
    public final DeviceInfo device() {
        return info;
    }

    @Override
    public final Capabilities capabilities() {
        return limits.capabilities();
    }

    @Override
    public final DeviceStatistics statistics() {
        limits.require(Feature.STATISTICS);
        return watch.statistics();
    }

    @Override
    public final CompletionQueue completionQueue(CompletionQueueConfig config) {
        requireOpen();
        limits.check(config);
        SoftwareCompletionChannel channel = Ours.orNull(
                "completion channel",
                config.channel(),
                SoftwareCompletionChannel.class,
                SoftwareCompletionChannel::device,
                this);
        return new SoftwareCompletionQueue(this, config.capacity(), channel);
    }

    @Override
    public final CompletionChannel completionChannel() {
        return new SoftwareCompletionChannel(this);
    }

    /**
     * Creates an event queue, for {@link Verbs#eventQueue()} of a provider whose listeners, connections and attempts
     * are {@link org.panamaverbs.spi.support.EventMember}s. Without an override of that method, the device has no event
     * queues.
     */
    protected final EventQueue newEventQueue() {
        return new MemberEventQueue("event queue " + nextNumber(), this, events, new LockWait(lock));
    }

    @Override
    public final Optional<AsyncEvent> asyncEvent(Deadline deadline) {
        return events.take(deadline);
    }

    @Override
    protected void destroy() {
        events.wake();
        watch.close();
    }
}
