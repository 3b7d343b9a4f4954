package org.panamaverbs.iwarp.engine.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Poller;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.spi.support.DeferredLog;
import org.panamaverbs.spi.watch.DeviceWatch;

/**
 * The thread of a context: waits for its sockets, runs timers, and everything that belongs to listeners and handshakes.
 * A daemon, so that a program that forgets to close can end.
 *
 * <p>A thread that waits for an event takes its place meanwhile, see {@link WaitPoint#awaitDriving}: the event that
 * wakes the loop up is most often the one that the other thread waits for, and one wake-up is enough. "On the loop's
 * thread" is said of whoever has the loop.
 */
public final class EventLoop implements DrivingWait {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int RESERVE = 64;
    // What failed would most likely fail again at once.
    private static final long RECOVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long CLOSING_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long JOIN_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final Poller poller;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    // For tasks that the queue has no memory for.
    private final AtomicReferenceArray<@Nullable Runnable> reserve = new AtomicReferenceArray<>(RESERVE);
    private final AtomicBoolean reserved = new AtomicBoolean();
    private final Timers timers = new Timers();
    private final Consumer<Watch> dispatch = this::dispatch;
    private final BiConsumer<LoopHandler, Throwable> fail = this::fail;
    private final LoopTurn turn = new LoopTurn();
    private final @Nullable DeviceWatch watch;
    private final Runnable wakePoller;
    private volatile boolean stopping;
    private long now;
    // Written by who has the loop.
    private final AtomicLong turns = new AtomicLong();

    private EventLoop(Poller poller, @Nullable DeviceWatch watch) {
        this.watch = watch;
        this.poller = poller;
        wakePoller = poller::wakeup;
        thread = Thread.ofPlatform()
                .daemon()
                .name("iwarp-loop-" + COUNT.incrementAndGet())
                .unstarted(this::run);
    }

    /** Starts a loop for {@code sockets} that nobody watches. */
    public static EventLoop start(Sockets sockets) {
        return start(sockets, null);
    }

    /** Starts a loop for {@code sockets}; {@code watch}, null for nobody, hears of slow passes. */
    static EventLoop start(Sockets sockets, @Nullable DeviceWatch watch) {
        DeferredLog.prepare();
        Poller poller;
        try {
            poller = sockets.poller();
        } catch (IOException e) {
            throw new UncheckedIOException("the poller for sockets cannot be opened", e);
        }
        try {
            EventLoop loop = new EventLoop(poller, watch);
            loop.thread.start();
            return loop;
        } catch (RuntimeException | Error e) {
            // Also that the system has no thread to give is an error of memory.
            poller.close();
            throw e;
        }
    }

    /** Returns how often it has waited and gone on; any thread. */
    public long turns() {
        return turns.get();
    }

    /** Tells whether the caller runs on the loop's thread. */
    public boolean isCurrent() {
        return turn.isMine();
    }

    /**
     * Has the calling thread be the loop until {@link #giveBack}; false if another thread is, or this one cannot. While
     * it is, it calls {@link #turn}.
     */
    @Override
    public boolean take() {
        // What a virtual thread waits for in the system also keeps its carrier.
        return !stopping && !isCurrent() && !Thread.currentThread().isVirtual() && turn.borrow(wakePoller);
    }

    /** Gives the loop back to its own thread, which keeps away for a moment: the calling one comes back soon. */
    @Override
    public void giveBack() {
        turn.keepAway();
        turn.giveBackTo(thread);
    }

    /** Is the loop for one turn without a wait; false if another thread is, or this one cannot be. */
    public boolean turnIfFree() {
        if (!take()) {
            return false;
        }
        try {
            turn(0);
        } finally {
            giveBack();
        }
        return true;
    }

    /** Runs {@code task} on the loop's thread, soon; not at all if the loop is closed before. */
    public void execute(Runnable task) {
        try {
            tasks.add(task);
        } catch (OutOfMemoryError e) {
            // What nobody hears of would never be undone.
            if (!reserve(task)) {
                throw e;
            }
        }
        wakeup();
    }

    private boolean reserve(Runnable task) {
        for (int i = 0; i < RESERVE; i++) {
            if (reserve.compareAndSet(i, null, task)) {
                reserved.set(true);
                return true;
            }
        }
        return false;
    }

    /**
     * Ends the wait of the loop, unless the caller is the loop, so that it sees changed interests and closed channels.
     */
    @Override
    public void wakeup() {
        if (!isCurrent()) {
            poller.wakeup();
        }
    }

    /** Has the loop see what changed of its watches, if it does not anyway; any thread. */
    public void changed() {
        if (poller.isDeferring()) {
            wakeup();
        }
    }

    /** Begins to watch a channel; on the loop's thread. */
    public Watch register(Pollable channel, int interest, LoopHandler handler) throws IOException {
        return poller.register(channel, interest, handler);
    }

    /** Closes a registered channel and gives its descriptor back before it returns; in a task. */
    public void closeNow(Pollable channel) {
        channel.close();
        try {
            if (poller.isDeferring()) {
                poller.select(dispatch, 0);
            }
        } catch (IOException e) {
            DeferredLog.log(EventLoop.class, System.Logger.Level.ERROR, "waiting for sockets failed", e);
        }
    }

    /** Starts or moves the timer of {@code handler}; any thread. */
    public void watch(LoopHandler handler) {
        timers.start(handler);
        wakeup();
    }

    /** Stops the timer of {@code handler}; any thread. */
    public void unwatch(LoopHandler handler) {
        timers.stop(handler);
    }

    /** Ends the thread and closes what is still registered. */
    public void close() {
        stopping = true;
        wakeup();
        LockSupport.unpark(thread);
        boolean interrupted = false;
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!stopping) {
                if (turn.isLent() || !turn.take()) {
                    turn.pause();
                    continue;
                }
                turnOfItsOwn();
            }
        } catch (IOException e) {
            DeferredLog.log(
                    EventLoop.class,
                    System.Logger.Level.ERROR,
                    "waiting for sockets failed; connections make no progress",
                    e);
        } finally {
            stopping = true;
            while (!turn.isMine() && !turn.take()) {
                LockSupport.parkNanos(CLOSING_NANOS);
            }
            try {
                closePoller();
            } finally {
                turn.giveBack();
            }
        }
    }

    private void closePoller() {
        try {
            // What is begun, or given up, in a task is not watched before, or still is.
            runTasks();
            poller.forEach(watch -> run(((LoopHandler) watch.attachment())::loopClosed));
        } finally {
            poller.close();
        }
    }

    private void turnOfItsOwn() throws IOException {
        try {
            try {
                carryOut(Long.MAX_VALUE);
            } finally {
                turn.giveBack();
            }
        } catch (RuntimeException | Error e) {
            // Lack of memory passes: all connections of the context depend on this thread.
            log("an iteration of the event loop failed; the loop continues", e);
            LockSupport.parkNanos(RECOVERY_NANOS);
        }
    }

    /**
     * Waits for at most so long until there is something to do, and does it; for who took the loop.
     *
     * @return false if it is of no use to go on: the loop is closed, or nobody can wait for its sockets
     */
    @Override
    public boolean turn(long nanos) {
        try {
            carryOut(nanos);
            return !stopping;
        } catch (IOException e) {
            // Its own thread will find the same, and say so.
            DeferredLog.log(EventLoop.class, System.Logger.Level.DEBUG, "waiting for sockets failed", e);
            return false;
        }
    }

    private void carryOut(long nanos) throws IOException {
        if (!stopping) {
            select(nanos);
            turns.lazySet(turns.getPlain() + 1);
            long began = now;
            now = System.nanoTime();
            if (began != 0 && now - began > SLOW_NANOS && watch != null) {
                watch.slowPass(now - began);
            }
            runTasks();
            timers.run(now, fail);
        }
    }

    private void select(long nanos) throws IOException {
        long wait = waitMillis(nanos);
        // Handlers see the time of the wake-up: it is read when the first of them is called.
        now = 0;
        if (wait < 0 || !tasks.isEmpty() || reserved.get()) {
            poller.select(dispatch, 0);
        } else {
            poller.select(dispatch, wait == 0 ? Poller.FOREVER : wait);
        }
    }

    /** Returns how long nothing is due: 0 for ever, negative for not at all. */
    private long waitMillis(long nanos) {
        if (timers.areNone() && nanos == Long.MAX_VALUE) {
            return 0;
        }
        long least = timers.left(System.nanoTime(), nanos);
        return least <= 0 ? -1 : (least + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    }

    private void dispatch(Watch watch) {
        if (now == 0) {
            now = System.nanoTime();
        }
        LoopHandler handler = (LoopHandler) watch.attachment();
        try {
            handler.ready(watch, now);
        } catch (Throwable e) {
            fail(handler, e);
        }
    }

    // Those that are there: one that comes back each time must not keep the timers and the others waiting.
    private void runTasks() {
        int left = tasks.isEmpty() ? 0 : tasks.size();
        for (Runnable task = next(left); task != null; task = next(--left)) {
            run(task);
        }
        if (reserved.getAndSet(false)) {
            for (int i = 0; i < RESERVE; i++) {
                Runnable task = reserve.getAndSet(i, null);
                if (task != null) {
                    run(task);
                }
            }
        }
    }

    private @Nullable Runnable next(int left) {
        return left > 0 ? tasks.poll() : null;
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            log("a task of the event loop failed", e);
        }
    }

    // The boundary of a handler: what it throws, whatever it is, ends that and not the thread of all others.
    private void fail(LoopHandler handler, Throwable cause) {
        timers.stop(handler);
        try {
            handler.failed(cause);
        } catch (Throwable e) {
            log("a failed connection could not be ended", e);
        }
        if (!handler.logsFailures()) {
            log("a connection failed because of an internal error", cause);
        }
    }

    private static void log(String what, Throwable cause) {
        DeferredLog.log(EventLoop.class, System.Logger.Level.ERROR, what, cause);
    }
}
