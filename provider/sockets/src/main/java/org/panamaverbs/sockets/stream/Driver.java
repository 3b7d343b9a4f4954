package org.panamaverbs.sockets.stream;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WaitInterruptedException;

/**
 * Waits for everything that happens to the streams and listeners of a device, and tells those: a thread of its own, or
 * one in its place that would sleep otherwise, so that what this one waits for wakes no other before it. It takes
 * nothing from threads that read, write and select: they make progress by themselves, and are woken by it when they
 * sleep. A stream that had something is left to them until a look finds that none of them has come since.
 */
public final class Driver implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Driver.class.getName());

    private static final int EVENTS_A_WAIT = 64;

    /** How long it is waited after a failure, which may be there to stay. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** How often it is looked whether streams are at rest. */
    private static final long LOOK_MILLIS = 10;

    private final EventQueue events;
    private final Reminders reminders = new Reminders();
    private final long spinNanos;
    private final Thread thread;
    private final DriverTurn turn;

    // Of who has the turn.

    private final Events holders = Events.ofCapacity(EVENTS_A_WAIT);

    /** What had completions and was not found at rest since. */
    private final Set<EventTarget> active = new HashSet<>();

    /** When those are looked at. */
    private Deadline look = Deadline.never();

    /** Threads that end streams, and others for what may take time. */
    private final AtomicInteger working = new AtomicInteger();

    /** Until when the end of streams is waited for, once nobody will wait for it after their close. */
    private volatile @Nullable Deadline last;

    private volatile boolean closed;

    /** How many listen: they have nothing else in common. */
    private final AtomicInteger listening = new AtomicInteger();

    Driver(Verbs verbs, long spinNanos) {
        this.spinNanos = spinNanos;
        events = verbs.eventQueue();
        thread = Thread.ofPlatform()
                .daemon()
                .name("rsockets-" + verbs.device().name())
                .unstarted(this::run);
        turn = new DriverTurn(thread, events::wakeup);
        thread.start();
    }

    EventQueue events() {
        return events;
    }

    /** Counts one more that listens, or one less. */
    void listening(int change) {
        listening.addAndGet(change);
    }

    /**
     * Does nothing if nobody listens.
     *
     * @throws IllegalStateException otherwise
     */
    void requireNoListeners() {
        int count = listening.get();
        if (count > 0) {
            throw new IllegalStateException(
                    count + " server sockets over RDMA are open; remedy: close them before their device");
        }
    }

    /** Returns what reminds streams of what they do now and then. */
    Reminders reminders() {
        return reminders;
    }

    /** Returns how long a thread that waits polls before it sleeps, and is to be woken by this. */
    long spinNanos() {
        return spinNanos;
    }

    private void run() {
        while (!closed) {
            if (!turn.takeOwn()) {
                turn.pause();
                continue;
            }
            try {
                drive(Deadline.never());
            } finally {
                turn.letGo();
            }
        }
    }

    /**
     * Has the calling thread, which would sleep, drive until {@code done} in place of the driver's own, if that is
     * possible and nobody is the worse for it. What {@code done} asks is changed by another thread before that calls
     * {@link #rouse}, or by what is told of events.
     *
     * @param sleeper who would sleep, by the name that it gives to {@link #woke}
     * @param nanos for how long at most, for ever if negative; an interrupt ends it, too
     * @return false if it is to sleep by itself, once it has looked whether it is done
     */
    public boolean driveUntil(BooleanSupplier done, long nanos, Object sleeper) {
        if (closed || !turn.borrow(sleeper)) {
            return false;
        }
        try {
            Deadline deadline = nanos < 0 ? Deadline.never() : Deadline.in(nanos, TimeUnit.NANOSECONDS);
            while (!done.getAsBoolean()
                    && !deadline.passed()
                    && !closed
                    && !Thread.currentThread().isInterrupted()) {
                if (turn.isWanted()) {
                    return false;
                }
                drive(deadline);
            }
            return true;
        } finally {
            turn.giveBack();
        }
    }

    /** Has who drives look whether what it waits for is done; nothing if that is the calling thread. */
    public void rouse() {
        if (!turn.isMine()) {
            events.wakeup();
        }
    }

    /** Says that {@code sleeper}, who did not drive, was woken by what happened. */
    public void woke(Object sleeper) {
        turn.woke(sleeper);
    }

    /** Waits until {@code deadline} for something to happen, and tells whom it concerns; with the turn. */
    private void drive(Deadline deadline) {
        int count = await(deadline.remainingNanos() < look.remainingNanos() ? deadline : look);
        for (int i = 0; i < count; i++) {
            Event event = holders.get(i);
            try {
                tell((EventTarget) Objects.requireNonNull(event.attachment()), event);
            } catch (RuntimeException | Error e) {
                // What happens to one stream ends no other.
                LOG.log(Level.ERROR, "an event of an rsocket could not be handled: " + event, e);
            }
        }
        if (!active.isEmpty() && look.passed()) {
            active.removeIf(Driver::isAtRest);
            look = active.isEmpty() ? Deadline.never() : nextLook();
        }
    }

    private void tell(EventTarget target, Event event) {
        target.happened(event);
        if (event.type() == Event.Type.COMPLETION) {
            if (active.isEmpty()) {
                look = nextLook();
            }
            active.add(target);
        }
    }

    private static Deadline nextLook() {
        return Deadline.in(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static boolean isAtRest(EventTarget target) {
        try {
            return target.isAtRest();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "it could not be checked whether an rsocket is idle", e);
            return true;
        }
    }

    /** Waits for events; returns how many there are, 0 after an interrupt or a failure. */
    private int await(Deadline deadline) {
        try {
            return events.await(holders, deadline);
        } catch (WaitInterruptedException e) {
            return 0;
        } catch (RuntimeException | Error e) {
            if (!closed) {
                LOG.log(Level.ERROR, "the events of rsockets could not be read; reading is retried", e);
                LockSupport.parkNanos(RETRY_NANOS);
            }
            return 0;
        }
    }

    /** Runs {@code work}, which may wait for a peer, on a thread of its own. */
    void start(Runnable work) {
        begin(work);
    }

    /**
     * Runs {@code work}, which ends a stream, on a thread of its own, and waits for it where {@link #awaitEnds} was
     * called before: that may not wait for it any more.
     *
     * @return what waits for it
     */
    Runnable startEnd(Runnable work) {
        Thread worker = begin(work);
        Deadline deadline = last;
        if (deadline != null) {
            join(worker, deadline);
        }
        return () -> join(worker, Deadline.never());
    }

    private Thread begin(Runnable work) {
        working.incrementAndGet();
        return Thread.ofVirtual().name("rsockets-work").start(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                LOG.log(Level.ERROR, "an rsocket could not be closed or served", e);
            } finally {
                synchronized (working) {
                    working.decrementAndGet();
                    working.notifyAll();
                }
            }
        });
    }

    private static void join(Thread some, Deadline deadline) {
        boolean interrupted = false;
        while (some.isAlive() && !deadline.passed()) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(some, deadline.remainingNanos());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits until what is being ended has ended; what is closed from now on, until {@code deadline}, waits by itself.
     */
    void awaitEnds(Deadline deadline) {
        last = deadline;
        boolean interrupted = false;
        synchronized (working) {
            while (working.get() > 0 && !deadline.passed()) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(working, deadline.remainingNanos());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is closed from now on need not wait by itself: {@link #awaitEnds} was not for the end. */
    void goOn() {
        last = null;
    }

    /** Ends the thread, and who drives in its place; called by neither. */
    @Override
    public void close() {
        closed = true;
        reminders.close();
        events.wakeup();
        LockSupport.unpark(thread);
        join(thread, Deadline.never());
        events.close();
    }
}
