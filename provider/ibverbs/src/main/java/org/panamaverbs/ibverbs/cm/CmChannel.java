package org.panamaverbs.ibverbs.cm;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.rdmacm.Rdmacm;
import org.panamaverbs.bindings.rdmacm.rdma_event_channel;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.call.CmEnds;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.Wakeup;
import org.panamaverbs.spi.support.DeferredLog;
import org.panamaverbs.spi.support.Waits;

/**
 * An event channel of librdmacm with its ids. One daemon thread takes each event, copies it, acknowledges it at once
 * and hands it to its id; it never waits for anything else, because {@code rdma_destroy_id} waits for events that are
 * not acknowledged. Calls that can block run on daemon threads of their own.
 *
 * <p>A channel that is closed ends when its last id is destroyed, which can be later: the kernel keeps ids of some
 * devices until a set-up under way is over.
 */
public final class CmChannel implements CmId.Owner {
    private static final int RETRY_MILLIS = 100;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String device;
    private final MemorySegment channel;
    private final CmEnds ends;
    private final Wakeup wakeup;
    private final CmThreads threads;
    private final CmIds ids = new CmIds();
    private final CmEventReader reader;
    // What is logged. Made before, as there may be no memory for it when it is needed.
    private final String failed;
    private final String unrun;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private int alive;
    private boolean closing;
    private boolean freed;
    private boolean ended;

    // What no thread could be had for; the thread that takes events tries again.
    private final DeferredTasks deferred = new DeferredTasks();

    private volatile boolean stop;

    /**
     * Opens a channel for the device {@code device}.
     *
     * @throws UnsupportedOperationException if librdmacm is missing, with the remedy
     * @throws ResourceException if the kernel's connection manager cannot be opened, with the remedy
     */
    CmChannel(String device) {
        this.device = device;
        failed = "an event of the connection manager of device " + device + " failed";
        unrun = "a task of the connection manager of device " + device + " failed";
        DeferredLog.prepare();
        String call = CmCalls.CREATE_EVENT_CHANNEL.name();
        NativeLibrary.RDMACM.absence().ifPresent(reason -> {
            throw new UnsupportedOperationException("connections through the connection manager of device " + device
                    + " need librdmacm, but " + reason + "; or connect out of band, with QueuePair.modify");
        });
        ends = new CmEnds();
        threads = new CmThreads(device);
        reader = new CmEventReader(device, ends, ids, this::adopt);
        try {
            channel = CmCalls.CREATE_EVENT_CHANNEL.pointer("device " + device);
        } catch (ResourceException e) {
            throw Failure.of(
                    call,
                    "device " + device,
                    e.errno(),
                    "load the kernel's connection manager (modprobe rdma_ucm), and give the process read and write"
                            + " access to /dev/infiniband/rdma_cm (in a container --device /dev/infiniband/rdma_cm);"
                            + " or connect out of band, with QueuePair.modify");
        }

        Wakeup opened = null;
        try {
            Wakeup.setNonBlocking(rdma_event_channel.fd(channel));
            opened = Wakeup.open();
        } finally {
            if (opened == null) {
                ends.destroyChannel(channel.address());
            }
        }
        wakeup = opened;
    }

    /** Opens a channel for {@code device}, which may be several, and begins to take events. */
    public static CmChannel open(String device) {
        CmChannel opened = new CmChannel(device);
        opened.start();
        return opened;
    }

    /** Begins to take events; if that fails the channel is gone. */
    void start() {
        start(threads::forEvents);
    }

    /** Begins to take events on a thread of {@code factory}; if that fails the channel is gone. */
    void start(ThreadFactory factory) {
        boolean started = false;
        try {
            factory.newThread(this::takeEvents).start();
            started = true;
        } finally {
            if (!started) {
                free();
            }
        }
    }

    /**
     * Makes an id for reliable connections.
     *
     * @throws IllegalStateException if the channel is closed
     */
    public CmId create(String object) {
        return create(object, Rdmacm.RDMA_PS_TCP());
    }

    /**
     * Makes an id for datagrams and multicast.
     *
     * @throws IllegalStateException if the channel is closed
     */
    public CmId createForDatagrams(String object) {
        return create(object, Rdmacm.RDMA_PS_UDP());
    }

    private CmId create(String object, int portSpace) {
        begin();
        boolean made = false;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.ADDRESS);
            CmCalls.CREATE_ID.check(object, channel, result, MemorySegment.NULL, portSpace);
            MemorySegment pointer = result.get(Rdmacm.C_POINTER, 0);
            try {
                CmId id = register(pointer, portSpace == Rdmacm.RDMA_PS_UDP());
                made = true;
                return id;
            } finally {
                if (!made) {
                    ends.destroyId(pointer.address());
                }
            }
        } finally {
            if (!made) {
                destroyed();
            }
        }
    }

    /** If there cannot be another thread now, {@code task} is run as soon as there can. */
    @Override
    public void execute(CmTask task) {
        if (!threads.execute(task) && !defer(task)) {
            task.run(); // the channel has ended
        }
    }

    /** Has {@code task} tried again by the thread that takes events; returns false if that has ended. */
    @Override
    public boolean defer(CmTask task) {
        lock.lock();
        try {
            if (!freed) {
                deferred.add(task);
                wakeup.signal();
            }
            return !freed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int destroy(CmId id) {
        ids.remove(id);
        return ends.destroyId(id.pointer().address());
    }

    @Override
    public void destroyed() {
        lock.lock();
        try {
            alive--;
            if (closing && alive == 0) {
                end();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean recount() {
        lock.lock();
        try {
            // librdmacm's id points to the channel; the kernel's is destroyed with the channel's descriptor.
            if (stop) {
                return false;
            }
            alive++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Refuses new ids, and ends the channel when the last one is destroyed; waits for that until {@code deadline}. */
    public void close(Deadline deadline) {
        lock.lock();
        try {
            if (!closing) {
                closing = true;
                if (alive == 0) {
                    end();
                }
            }
            Waits.uninterruptibly(() -> ended, deadline, changed);
        } finally {
            lock.unlock();
        }
    }

    private void begin() {
        lock.lock();
        try {
            if (closing) {
                throw new IllegalStateException("the connection manager of device " + device + " is closed");
            }
            alive++;
        } finally {
            lock.unlock();
        }
    }

    private CmId register(MemorySegment pointer, boolean datagrams) {
        CmId id = new CmId(this, pointer, datagrams);
        ids.add(id);
        return id;
    }

    /** Ends the thread that takes events; under the lock. */
    private void end() {
        stop = true;
        wakeup.signal();
    }

    private void takeEvents() {
        int fd = rdma_event_channel.fd(channel);
        boolean healthy = true;
        while (!stop) {
            // After a failure only the signal is awaited for a moment: what failed would fail again at once.
            healthy = takeMore(healthy ? fd : -1);
        }
        free();
        for (CmTask task = deferred.poll(); task != null; task = deferred.poll()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                DeferredLog.log(CmChannel.class, Level.ERROR, unrun, e);
            }
        }
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Has what was deferred run, as far as there are threads for it. */
    private void executeDeferred() {
        boolean begun = true;
        while (begun) {
            CmTask task = deferred.poll();
            if (task == null) {
                return;
            }
            begun = false;
            try {
                begun = threads.execute(task);
            } finally {
                if (!begun) {
                    deferred.putBack(task);
                }
            }
        }
    }

    private void free() {
        ends.destroyChannel(channel.address());
        lock.lock();
        try {
            // Who signals has the lock: the number of a closed descriptor may be another's at once.
            freed = true;
            wakeup.close();
        } finally {
            lock.unlock();
        }
        threads.shutdown();
    }

    /** Waits for events of {@code fd}, a while if there is none, and takes them; returns false if that failed. */
    private boolean takeMore(int fd) {
        try {
            boolean patient = fd >= 0 && deferred.isEmpty();
            Wakeup.Outcome outcome =
                    wakeup.await(fd, patient ? Deadline.never() : Deadline.in(RETRY_MILLIS, TimeUnit.MILLISECONDS));
            if (outcome == Wakeup.Outcome.SIGNALED && !stop) {
                wakeup.clear();
            }
            boolean taken = outcome != Wakeup.Outcome.READY || stop || reader.drain(channel);
            executeDeferred();
            return taken;
        } catch (RuntimeException | Error e) {
            // Ids and those who wait for them depend on this thread: it goes on whatever happens.
            DeferredLog.log(CmChannel.class, Level.ERROR, failed, e);
            LockSupport.parkNanos(PAUSE_NANOS); // there may be memory again
            return false;
        }
    }

    private CmId adopt(MemorySegment id, boolean datagrams) {
        lock.lock();
        try {
            // Even after close: the id is there, and the channel has to outlive it.
            alive++;
        } finally {
            lock.unlock();
        }
        boolean made = false;
        try {
            CmId result = register(id, datagrams);
            made = true;
            return result;
        } finally {
            if (!made) {
                destroyed();
            }
        }
    }
}
