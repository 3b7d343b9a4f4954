package org.panamaverbs.iwarp.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.iwarp.core.CompletionSink;
import org.panamaverbs.memory.ManagedResource;

/** A completion queue: a ring that streams fill and pollers drain; a poll that finds it empty drives its streams. */
final class IwarpCompletionQueue extends ManagedResource implements CompletionQueue, CompletionSink {
    // A queue that never runs empty must not keep its streams from receiving.
    private static final int DRAINS_PER_PROGRESS = 8;
    // What one poll drives, so that its cost does not grow with the number of connections. Beyond it the system is
    // asked
    // which of them have something.
    private static final int STREAMS_PER_POLL = 16;

    private enum Arm {
        NONE,
        SOLICITED,
        ANY
    }

    private static final VarHandle AVAILABLE;

    static {
        try {
            AVAILABLE = MethodHandles.lookup().findVarHandle(IwarpCompletionQueue.class, "available", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final IwarpVerbs verbs;
    private final @Nullable IwarpCompletionChannel channel;
    private final SpinLock lock = new SpinLock();
    // Guarded by the lock.
    private CompletionRing ring;
    private Arm armed = Arm.NONE;
    // Written under the lock, whose release orders it: a store without a fence is enough.
    private volatile int available;
    private volatile boolean failed;
    private volatile StreamDriver[] drivers = {};
    // Whether some of them do not know yet that they are many.
    private volatile boolean moreDrivers;
    // Races on these two only change which poll does the work.
    private int drains;
    private int nextDriver;

    IwarpCompletionQueue(IwarpVerbs verbs, int number, int capacity, @Nullable IwarpCompletionChannel channel) {
        super(
                "completion queue " + number,
                channel == null ? new ManagedResource[] {verbs} : new ManagedResource[] {verbs, channel});
        this.verbs = verbs;
        this.channel = channel;
        ring = new CompletionRing(capacity);
    }

    /** Tells whether it was made by {@code context}. */
    boolean isOf(IwarpVerbs context) {
        return verbs == context;
    }

    @Override
    public int poll(WorkCompletions completions) {
        requireOpen();
        requireWhole();
        int count = drain(completions);
        if (count == 0) {
            progress();
            count = drain(completions);
        } else if (++drains % DRAINS_PER_PROGRESS == 0) {
            progress();
        }
        completions.filled(count);
        return count;
    }

    private int drain(WorkCompletions completions) {
        if (available == 0) {
            return 0;
        }
        lock.lock();
        try {
            return ring.drain(completions);
        } finally {
            tellAvailable();
            lock.unlock();
        }
    }

    private void tellAvailable() {
        AVAILABLE.setRelease(this, ring.size());
    }

    /** Drives the streams that complete here, a bounded number a call. */
    void progress() {
        StreamDriver[] all = drivers;
        if (all.length == 0 || (all.length > STREAMS_PER_POLL && progressOfAll())) {
            return;
        }
        long now = System.nanoTime();
        int count = Math.min(all.length, STREAMS_PER_POLL);
        int index = Math.floorMod(nextDriver, all.length);
        for (int i = 0; i < count; i++) {
            all[index].poll(now);
            index = index + 1 == all.length ? 0 : index + 1;
        }
        nextDriver = index;
    }

    private boolean progressOfAll() {
        if (moreDrivers) {
            moreDrivers = false;
            for (StreamDriver driver : drivers) {
                driver.sweep();
            }
        }
        return verbs.progressOfAll();
    }

    @Override
    public boolean complete(
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            int qpNumber,
            long byteCount,
            int flags,
            long immediateOrStag,
            int vendorError) {
        boolean raise = false;
        lock.lock();
        boolean added =
                !failed && ring.add(wrId, status, opcode, qpNumber, byteCount, flags, immediateOrStag, vendorError);
        boolean overrun = !added && !failed;
        if (added) {
            tellAvailable();
            raise = armed == Arm.ANY
                    || (armed == Arm.SOLICITED && (status != WcStatus.SUCCESS || (flags & SOLICITED) != 0));
            if (raise) {
                armed = Arm.NONE;
            }
        } else if (overrun) {
            failed = true;
            raise = armed != Arm.NONE;
        }
        lock.unlock();
        if (overrun) {
            overrun();
        }
        if (raise && channel != null) {
            channel.raise(this);
        }
        return added;
    }

    private void overrun() {
        verbs.events()
                .raise(
                        AsyncEvent.Type.CQ_ERROR,
                        this,
                        resourceName() + " was overrun: more than " + capacity() + " completions were not polled",
                        null);
        // RFC 5040 §8.1.1: the other streams of the queue fail too, but not from inside of this one's work.
        verbs.loop().execute(() -> {
            for (StreamDriver driver : drivers) {
                driver.checkQueues();
            }
        });
    }

    /** Tells whether completions were lost. */
    boolean hasFailed() {
        return failed;
    }

    @Override
    public void arm(boolean solicitedOnly) {
        requireOpen();
        requireWhole();
        if (channel == null) {
            throw new IllegalStateException(
                    resourceName() + " has no completion channel: make it with CompletionQueueConfig.withChannel");
        }
        lock.lock();
        if (armed != Arm.ANY) {
            armed = solicitedOnly ? Arm.SOLICITED : Arm.ANY;
        }
        lock.unlock();
        for (StreamDriver driver : drivers) {
            driver.watchInput();
        }
    }

    @Override
    public int capacity() {
        lock.lock();
        int capacity = ring.capacity();
        lock.unlock();
        return capacity;
    }

    @Override
    public void resize(int newCapacity) {
        requireOpen();
        Device.checked("capacity", newCapacity, 1, Device.CAPABILITIES.maxCqe());
        CompletionRing larger = new CompletionRing(newCapacity);
        lock.lock();
        int size = ring.size();
        if (size <= newCapacity) {
            ring.moveTo(larger);
            ring = larger;
        }
        lock.unlock();
        if (size > newCapacity) {
            throw new ResourceException(
                    "resize",
                    resourceName() + " holds " + size + " completions, more than " + newCapacity + ": poll first",
                    0);
        }
    }

    @Override
    public void moderate(int count, int micros) {
        requireOpen();
        Device.CAPABILITIES.require(Feature.CQ_MODERATION, Device.NAME);
    }

    /** Has polls drive {@code driver}. */
    void attach(StreamDriver driver) {
        synchronized (this) {
            List<StreamDriver> more = new ArrayList<>(List.of(drivers));
            if (!more.contains(driver)) {
                more.add(driver);
            }
            drivers = more.toArray(StreamDriver[]::new);
            moreDrivers = true;
        }
    }

    /** Forgets {@code driver}, and what queue pair {@code number} has completed here. */
    void detach(StreamDriver driver, int number) {
        synchronized (this) {
            List<StreamDriver> fewer = new ArrayList<>(List.of(drivers));
            fewer.remove(driver);
            drivers = fewer.toArray(StreamDriver[]::new);
        }
        lock.lock();
        ring.purge(number);
        tellAvailable();
        lock.unlock();
    }

    private void requireWhole() {
        if (failed) {
            throw new IllegalStateException(
                    resourceName()
                            + " was overrun: completions are lost and its queue pairs are in the error state; make a larger one");
        }
    }

    @Override
    protected void release() {
        if (channel != null) {
            channel.forget(this);
        }
        verbs.forget(this);
    }
}
