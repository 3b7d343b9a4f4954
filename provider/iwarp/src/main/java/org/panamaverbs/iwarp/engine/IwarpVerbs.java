package org.panamaverbs.iwarp.engine;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
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
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.iwarp.core.BufferPool;
import org.panamaverbs.iwarp.core.StagTable;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.memory.ManagedResource;

/** The open device: what all objects of a context share. */
public final class IwarpVerbs extends ManagedResource implements Verbs {
    /** The provider's name. */
    public static final String PROVIDER = "iwarp";

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String selection;
    private final IwarpOptions options;
    private final EventLoop loop;
    // Where the event loop does not look after streams.
    private final @Nullable Sweep sweep;
    private final Patrol patrol;
    private final TlsTasks tlsTasks;
    private final IntSupplier random = new RandomInts(new SecureRandom());
    private final StagTable stags = new StagTable(Device.MAX_REGIONS, random);
    private final BufferPool buffers = new BufferPool();
    private final AsyncEvents events = new AsyncEvents(this::isOpen);
    private final AtomicInteger numbers = new AtomicInteger();
    private final Quota queuePairs = new Quota("queue pairs", Device.CAPABILITIES.maxQp());
    private final Quota completionQueues = new Quota("completion queues", Device.CAPABILITIES.maxCq());
    private final Quota domains = new Quota("protection domains", Device.CAPABILITIES.maxPd());
    private final Quota sharedReceiveQueues = new Quota("shared receive queues", Device.CAPABILITIES.maxSrq());
    private final CopyOnWriteArrayList<IwarpCompletionQueue> driven = new CopyOnWriteArrayList<>();

    private IwarpVerbs(IwarpOptions options, String selection) {
        super("context " + COUNT.incrementAndGet() + " of device " + Device.NAME);
        this.options = options;
        loop = EventLoop.start(options.sockets());
        tlsTasks = new TlsTasks(loop);
        sweep = options.spin() ? new Sweep(options.sockets(), loop) : null;
        patrol = new Patrol(loop, options.progressNanos());
        this.selection = selection;
    }

    /**
     * Opens the device.
     *
     * @throws IllegalArgumentException for another device or an unknown option, naming what there is
     */
    public static IwarpVerbs open(OpenConfig config, String selection) {
        if (!config.device().isEmpty() && !config.device().equals(Device.NAME)) {
            throw new IllegalArgumentException(
                    "provider " + PROVIDER + " has no device " + config.device() + ", only " + Device.NAME);
        }
        return new IwarpVerbs(IwarpOptions.parse(config.options(), System.getProperties()), selection);
    }

    /** Describes the device without opening it. */
    public static DeviceInfo describeDevice() {
        return Device.describe();
    }

    @Override
    public String provider() {
        return PROVIDER;
    }

    @Override
    public String selection() {
        return selection;
    }

    @Override
    public DeviceInfo device() {
        return Device.describe();
    }

    @Override
    public Capabilities capabilities() {
        return Device.CAPABILITIES;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        requireOpen();
        domains.take();
        try {
            return new IwarpProtectionDomain(this, nextNumber());
        } catch (RuntimeException e) {
            domains.giveBack();
            throw e;
        }
    }

    @Override
    public CompletionQueue completionQueue(CompletionQueueConfig config) {
        requireOpen();
        Device.checked("capacity", config.capacity(), 1, Device.CAPABILITIES.maxCqe());
        // Completions always have all fields, and queues are safe for any threads.
        config.require(Device.CAPABILITIES, Device.NAME);
        IwarpCompletionChannel channel = null;
        if (config.channel() != null) {
            if (!(config.channel() instanceof IwarpCompletionChannel ours) || !ours.isOf(this)) {
                throw new IllegalArgumentException("the completion channel is of another context or provider");
            }
            channel = ours;
        }
        completionQueues.take();
        try {
            IwarpCompletionQueue queue = new IwarpCompletionQueue(this, nextNumber(), config.capacity(), channel);
            driven.add(queue);
            return queue;
        } catch (RuntimeException e) {
            completionQueues.giveBack();
            throw e;
        }
    }

    /** Forgets {@code queue}, which is being closed. */
    void forget(IwarpCompletionQueue queue) {
        driven.remove(queue);
        events.forget(queue);
        completionQueues.giveBack();
    }

    @Override
    public CompletionChannel completionChannel() {
        requireOpen();
        return new IwarpCompletionChannel(this, nextNumber(), drive());
    }

    /** Makes progress with the streams that have something; false if this thread cannot now. */
    boolean progressOfAll() {
        if (sweep != null) {
            sweep.turn();
            return true;
        }
        if (!loop.take()) {
            return false;
        }
        try {
            loop.turn(0);
        } finally {
            loop.giveBack();
        }
        return true;
    }

    /** Returns what a wait calls over and over to make progress; null where the event loop makes it. */
    private @Nullable Runnable drive() {
        return options.spin() ? () -> driven.forEach(IwarpCompletionQueue::progress) : null;
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        requireOpen();
        return new Connector(this, config).connect(address, own(queuePair), false, deadline);
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        requireOpen();
        Connector connector = new Connector(this, config);
        return connector.connect(address, create(queuePair), true, deadline);
    }

    /** Returns {@code queuePair} as one of this context. */
    IwarpQueuePair own(QueuePair queuePair) {
        if (queuePair instanceof IwarpQueuePair ours && ours.verbs() == this) {
            return ours;
        }
        throw new IllegalArgumentException("the queue pair is not of " + resourceName());
    }

    /** Returns the system's sockets. */
    Sockets sockets() {
        return options.sockets();
    }

    /** Makes a queue pair for a connection. */
    IwarpQueuePair create(QueuePairConfig config) {
        if (config.domain() instanceof IwarpProtectionDomain domain && domain.verbs() == this) {
            return domain.create(config);
        }
        throw new IllegalArgumentException("the protection domain is not of " + resourceName());
    }

    @Override
    public Listener listen(InetSocketAddress address, ListenerConfig config) {
        requireOpen();
        return IwarpListener.open(this, address, config);
    }

    @Override
    public Optional<AsyncEvent> asyncEvent(Deadline deadline) {
        requireOpen();
        return events.take(deadline, drive());
    }

    IwarpOptions options() {
        return options;
    }

    EventLoop loop() {
        return loop;
    }

    Patrol patrol() {
        return patrol;
    }

    @Nullable
    Sweep sweep() {
        return sweep;
    }

    BufferPool buffers() {
        return buffers;
    }

    TlsTasks tlsTasks() {
        return tlsTasks;
    }

    StagTable stags() {
        return stags;
    }

    IntSupplier random() {
        return random;
    }

    AsyncEvents events() {
        return events;
    }

    Quota queuePairs() {
        return queuePairs;
    }

    Quota domains() {
        return domains;
    }

    Quota sharedReceiveQueues() {
        return sharedReceiveQueues;
    }

    /** Returns a number that no other object of the context has, from 1. */
    int nextNumber() {
        return numbers.incrementAndGet();
    }

    @Override
    protected void release() {
        loop.close();
        if (sweep != null) {
            sweep.close();
        }
        events.close();
    }
}
