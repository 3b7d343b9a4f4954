package org.panamaverbs.iwarp.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.iwarp.core.CompletionRun;
import org.panamaverbs.iwarp.core.CompletionSink;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.Device;
import org.panamaverbs.iwarp.engine.device.SpinLock;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Attachments;
import org.panamaverbs.spi.support.CompletionWriter;
import org.panamaverbs.spi.watch.PollCounts;

/** A completion queue: a ring that streams fill and pollers drain; a poll that finds it empty drives its streams. */
public final class IwarpCompletionQueue extends ManagedResource implements CompletionQueue, CompletionSink {
    private static final CompletionWriter WRITER = CompletionWriter.get();

    // Of so many polls of a virtual machine that find nothing some leave their processor to a thread that wants to run:
    // most often it is a compiler, and where every processor has a thread that polls, it gets little else.
    private static final int COLD_POLLS = 1 << 20;
    private static final int COLD_YIELD = 1 << 4;
    // Not for longer, however rare they are, looked at every so many of them.
    private static final long COLD_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int COLD_LOOK = 1 << 10;
    private static final long BEGUN = System.nanoTime();

    // Races on it lose a count.
    private static int coldPolls;

    // A queue that never runs empty must not keep its streams from receiving.
    private static final int DRAINS_PER_PROGRESS = 8;

    private enum Arm {
        NONE,
        SOLICITED,
        ANY
    }

    private static final VarHandle AVAILABLE;
    private static final VarHandle TAKEN;

    static {
        try {
            AVAILABLE = MethodHandles.lookup().findVarHandle(IwarpCompletionQueue.class, "available", int.class);
            TAKEN = MethodHandles.lookup().findVarHandle(IwarpCompletionQueue.class, "taken", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Context context;
    private final Progress progress;
    // What waits call, who would keep a lost queue by it. Made beforehand, as what follows: needed without memory.
    private final Runnable drive;
    private final WeakReference<Runnable> waitsDrive;
    private final WeakReference<Drivers> channelsDrivers;
    private final Runnable failStreams;
    private final @Nullable IwarpCompletionChannel channel;
    private final SpinLock lock;
    // Guarded by the lock.
    private CompletionRing ring;
    private Arm armed = Arm.NONE;
    // Written under the lock, whose release orders it: a store without a fence is enough.
    private volatile int available;
    // The capacity; written under the lock.
    private volatile int most;
    // The number below which all were taken out, so far or a little earlier; written in the same way.
    private volatile long taken;
    private volatile boolean failed;
    private final Drivers drivers;
    private final Attachments attachments;
    private final RaisedEvents.Entry event;
    // Races on it only change which poll does the work.
    private int drains;
    private final PollCounts polls;

    public IwarpCompletionQueue(Streams streams, int number, int capacity, @Nullable IwarpCompletionChannel channel) {
        super("completion queue " + number, parents(streams.context().owner(), channel));
        context = streams.context();
        progress = streams.progress();
        this.channel = channel;
        try {
            lock = new SpinLock();
            drivers = new Drivers(progress);
            attachments = new Attachments();
            ring = new CompletionRing(capacity);
            most = capacity;
            drive = drivers::drive;
            event = new RaisedEvents.Entry(this);
            waitsDrive = new WeakReference<>(drive);
            failStreams = drivers::checkQueues;
            channelsDrivers = new WeakReference<>(drivers);
            progress.add(waitsDrive);
            if (channel != null) {
                channel.add(channelsDrivers);
            }
            polls = context.watch().completionQueue();
        } catch (Throwable e) {
            abandon();
            throw e;
        }
    }

    private static ManagedResource[] parents(ManagedResource owner, @Nullable IwarpCompletionChannel channel) {
        return channel == null ? new ManagedResource[] {owner} : new ManagedResource[] {owner, channel};
    }

    /** Returns the device that it is of. */
    ManagedResource device() {
        return context.owner();
    }

    @Override
    public int poll(WorkCompletions completions) {
        requireOpen();
        requireWhole();
        polls.begun();
        int count = drain(completions);
        if (count == 0) {
            drivers.drive();
            count = drain(completions);
            if (count == 0) {
                polls.foundNothing();
                if (coldPolls < COLD_POLLS) {
                    letCompile();
                }
            }
            return count;
        }
        if (++drains % DRAINS_PER_PROGRESS == 0) {
            drivers.driveDue();
        }
        return count;
    }

    private static void letCompile() {
        int polls = ++coldPolls;
        if (polls % COLD_LOOK == 0 && System.nanoTime() - BEGUN > COLD_NANOS) {
            coldPolls = COLD_POLLS;
        }
        if (polls % COLD_YIELD == 0) {
            Thread.yield();
        }
    }

    private int drain(WorkCompletions completions) {
        if (available == 0) {
            WRITER.filled(completions, 0);
            return 0;
        }
        lock.lock();
        try {
            int count = ring.copy(completions);
            if (!attachments.isEmpty()) {
                attach(completions, count);
            }
            WRITER.filled(completions, count);
            ring.remove(count);
            tellAvailable(ring.size());
            tellTaken();
            return count;
        } finally {
            lock.unlock();
        }
    }

    private void attach(WorkCompletions completions, int count) {
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = WRITER.slot(completions, i);
            WRITER.attachment(completion, attachments.of(completion.qpNumber()));
        }
    }

    // Too many makes a poll look in vain; too few would hide some.
    private void tellAvailable(int count) {
        AVAILABLE.setRelease(this, count);
    }

    // Told late it keeps places of requests occupied for longer, no more.
    private void tellTaken() {
        TAKEN.setRelease(this, ring.taken());
    }

    @Override
    public long taken() {
        return failed ? Long.MAX_VALUE : taken;
    }

    @Override
    public long complete(
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            int qpNumber,
            long byteCount,
            int flags,
            long immediateOrStag,
            int vendorError) {
        boolean calls = status != WcStatus.SUCCESS || (flags & SOLICITED) != 0;
        boolean raise;
        boolean overrun;
        long number;
        lock.lock();
        try {
            tellAvailable(ring.size() + 1);
            number = failed
                    ? LOST
                    : ring.add(wrId, status, opcode, qpNumber, byteCount, flags, immediateOrStag, vendorError);
            overrun = number == LOST && !failed;
            raise = added(number, calls);
        } finally {
            lock.unlock();
        }
        tell(raise, overrun);
        return number;
    }

    @Override
    public long complete(CompletionRun run, int qpNumber) {
        boolean raise;
        boolean overrun;
        long number;
        lock.lock();
        try {
            tellAvailable(ring.size() + run.count());
            number = failed ? LOST : ring.add(run, qpNumber);
            overrun = number == LOST && !failed;
            raise = added(number, run.anySolicited());
        } finally {
            lock.unlock();
        }
        tell(raise, overrun);
        return number;
    }

    @Override
    public int room() {
        return failed ? 0 : most - available;
    }

    /**
     * Counts what was added last, {@link #LOST} if that was lost; {@code calls} says whether it is what a queue waits
     * for that is armed for solicited completions. Tells whether the channel is to be told. Locked.
     */
    private boolean added(long number, boolean calls) {
        if (number == LOST) {
            boolean first = !failed;
            failed = true;
            return first && armed != Arm.NONE;
        }
        boolean raise = armed == Arm.ANY || (armed == Arm.SOLICITED && calls);
        if (raise) {
            armed = Arm.NONE;
        }
        return raise;
    }

    // Without the lock.
    private void tell(boolean raise, boolean overrun) {
        if (raise && channel != null) {
            channel.raise(event);
        }
        if (overrun) {
            // RFC 5040 §8.1.1: the other streams of the queue fail too, but not from inside of this one's work.
            context.loop().execute(failStreams);
            context.events().raise(AsyncEvent.Type.CQ_ERROR, this, overrunText(), null);
        }
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
            throw new IllegalStateException(resourceName() + " has no completion channel; remedy: create it with"
                    + " CompletionQueueConfig.withChannel");
        }
        lock.lock();
        try {
            if (armed != Arm.ANY) {
                armed = solicitedOnly ? Arm.SOLICITED : Arm.ANY;
            }
        } finally {
            lock.unlock();
        }
        drivers.watchInput();
    }

    @Override
    public int capacity() {
        lock.lock();
        try {
            return ring.capacity();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void resize(int newCapacity) {
        requireOpen();
        Device.LIMITS.completions(newCapacity);
        CompletionRing larger = new CompletionRing(newCapacity);
        int size;
        lock.lock();
        try {
            size = ring.size();
            if (size <= newCapacity) {
                ring.moveTo(larger);
                ring = larger;
                most = newCapacity;
            }
        } finally {
            lock.unlock();
        }
        if (size > newCapacity) {
            throw new ResourceException(
                    "resize",
                    resourceName() + " holds " + size + " completions, more than " + newCapacity + "; remedy: poll"
                            + " first",
                    0);
        }
    }

    @Override
    public void moderate(int count, int micros) {
        requireOpen();
        Device.CAPABILITIES.require(Feature.CQ_MODERATION, Device.NAME);
    }

    /**
     * Has polls drive {@code driver}, and completions of queue pair {@code number}, of which there are none yet, give
     * back {@code attachment}, null for nothing.
     */
    void attach(StreamDriver driver, int number, @Nullable Object attachment) {
        if (attachment != null) {
            attachments.put(number, attachment);
        }
        drivers.add(driver);
    }

    /** Forgets {@code driver}, and what queue pair {@code number} was given and has completed here. Does not fail. */
    void detach(StreamDriver driver, int number) {
        drivers.remove(driver);
        lock.lock();
        try {
            ring.purge(number);
            tellAvailable(ring.size());
            attachments.removeNumber(number);
        } finally {
            lock.unlock();
        }
    }

    private void requireWhole() {
        if (failed) {
            throw new IllegalStateException(overrunText());
        }
    }

    private String overrunText() {
        return resourceName() + " of device " + Device.NAME + " was overrun: more than " + capacity()
                + " completions arrived before they were polled, some are lost and its queue pairs fail; remedy: create"
                + " a queue for as many as all its queue pairs can have outstanding, poll sooner, or signal"
                + " fewer requests";
    }

    @Override
    protected void release() {
        if (channel != null) {
            channel.remove(channelsDrivers, event);
        }
        progress.remove(waitsDrive);
        context.watch().remove(polls);
        context.completionQueues().giveBack();
        context.events().forget(this);
    }
}
