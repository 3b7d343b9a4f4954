package org.panamaverbs.iwarp.engine.device;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.iwarp.core.BufferPool;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.shm.DirectDomains;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.watch.DeviceWatch;

/**
 * What an open device owns and its objects share: the event loop, the STags, buffers, events and how many objects of
 * each kind there may be. It knows none of those objects. Any thread.
 */
public final class Context {
    private final ManagedResource owner;
    private final IwarpOptions options;
    private final EventLoop loop;
    private final IntSupplier random = new RandomInts(new SecureRandom());
    private final StagTable stags;
    private final DirectDomains direct;
    private final BufferPool buffers;
    private final DeviceWatch watch;
    private final AsyncEvents events;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Quota queuePairs;
    private final Quota completionQueues;
    private final Quota domains;
    private final Quota sharedReceiveQueues;

    /** Creates a context and starts its event loop; {@code owner} is what its objects are children of. */
    public Context(ManagedResource owner, IwarpOptions options) {
        this.owner = owner;
        this.options = options;
        Capabilities limits = Device.CAPABILITIES;
        stags = new StagTable(Device.MAX_REGIONS, random);
        direct = new DirectDomains(options.sharedMemory()::obstacleToDirect);
        buffers = new BufferPool(options.get(IwarpOption.MAX_SNAPSHOTS));
        watch = new DeviceWatch(Device.PROVIDER, Device.NAME);
        events = new AsyncEvents(owner, watch);
        queuePairs = new Quota("queue pairs", limits.maxQp());
        completionQueues = new Quota("completion queues", limits.maxCq());
        domains = new Quota("protection domains", limits.maxPd());
        sharedReceiveQueues = new Quota("shared receive queues", limits.maxSrq());
        boolean started = false;
        try {
            loop = EventLoop.start(options.get(IwarpOption.SOCKETS), watch);
            started = true;
        } finally {
            if (!started) {
                watch.close();
            }
        }
    }

    /** Returns what the objects of the context are children of. */
    public ManagedResource owner() {
        return owner;
    }

    public IwarpOptions options() {
        return options;
    }

    public EventLoop loop() {
        return loop;
    }

    /** Returns the system's sockets. */
    public Sockets sockets() {
        return options.get(IwarpOption.SOCKETS);
    }

    /** Returns random numbers that nobody can foresee. */
    public IntSupplier random() {
        return random;
    }

    public StagTable stags() {
        return stags;
    }

    /** Returns what of the domains' memory peers may reach by themselves. */
    public DirectDomains direct() {
        return direct;
    }

    public BufferPool buffers() {
        return buffers;
    }

    /** Returns what those who watch the device are told by. */
    public DeviceWatch watch() {
        return watch;
    }

    public AsyncEvents events() {
        return events;
    }

    public Quota queuePairs() {
        return queuePairs;
    }

    public Quota completionQueues() {
        return completionQueues;
    }

    public Quota domains() {
        return domains;
    }

    public Quota sharedReceiveQueues() {
        return sharedReceiveQueues;
    }

    /** Returns a number that no other object of the context has, from 1. */
    public int nextNumber() {
        return numbers.incrementAndGet();
    }

    /** Ends the event loop and all waits for events. */
    public void close() {
        try {
            loop.close();
        } finally {
            try {
                events.close();
            } finally {
                watch.close();
            }
        }
    }
}
