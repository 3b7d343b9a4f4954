package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The thread of a context: waits for its sockets, runs timers, and everything that belongs to listeners and handshakes.
 * A daemon, so that a program that forgets to close can end.
 */
final class EventLoop {
    private static final System.Logger LOGGER = System.getLogger(EventLoop.class.getName());
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long JOIN_MILLIS = TimeUnit.SECONDS.toMillis(10);

    /** What a channel or a timer calls; only on the loop's thread. */
    interface Handler {
        /** The channel of {@code key} can do what the key is interested in. */
        void ready(SelectionKey key, long now);

        /** Returns the time of the timer; counts only between {@link #watch} and {@link #unwatch}. Any thread. */
        long deadlineNanos();

        /** The time of the timer has come. */
        void timeout(long now);

        /** The handler threw: it must let go of its channel. */
        void failed(Throwable cause);
    }

    private final Selector selector;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Set<Handler> timed = ConcurrentHashMap.newKeySet();
    private final Consumer<SelectionKey> dispatch = this::dispatch;
    private volatile boolean stopping;
    private long now;

    private EventLoop(Selector selector) {
        this.selector = selector;
        thread = Thread.ofPlatform()
                .daemon()
                .name("iwarp-loop-" + COUNT.incrementAndGet())
                .unstarted(this::run);
    }

    /** Starts one. */
    static EventLoop start() {
        try {
            EventLoop loop = new EventLoop(Selector.open());
            loop.thread.start();
            return loop;
        } catch (IOException e) {
            throw new UncheckedIOException("a selector cannot be opened", e);
        }
    }

    /** Tells whether the caller runs on the loop's thread. */
    boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    /** Runs {@code task} on the loop's thread, soon; not at all if the loop is closed before. */
    void execute(Runnable task) {
        tasks.add(task);
        wakeup();
    }

    /**
     * Ends the wait of the loop, unless the caller is the loop, so that it sees changed interests and closed channels.
     */
    void wakeup() {
        if (!isCurrent()) {
            selector.wakeup();
        }
    }

    /** Registers a channel; on the loop's thread. */
    SelectionKey register(SelectableChannel channel, int interest, Handler handler) throws IOException {
        return channel.register(selector, interest, handler);
    }

    /** Closes a registered channel and gives its descriptor back before it returns; in a task. */
    void closeNow(SelectableChannel channel) {
        SocketErrors.close(channel);
        try {
            // The descriptor of a registered channel is closed by the next selection.
            selector.selectNow(dispatch);
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.ERROR, "the selector failed", e);
        }
    }

    /** Starts or moves the timer of {@code handler}; any thread. */
    void watch(Handler handler) {
        timed.add(handler);
        wakeup();
    }

    /** Stops the timer of {@code handler}; any thread. */
    void unwatch(Handler handler) {
        timed.remove(handler);
    }

    /** Ends the thread and closes what is still registered. */
    void close() {
        stopping = true;
        wakeup();
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
                select();
                now = System.nanoTime();
                runTasks();
                runTimers();
            }
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.ERROR, "the selector failed: connections make no more progress", e);
        } finally {
            closeAll();
        }
    }

    private void select() throws IOException {
        long wait = waitMillis();
        // Handlers see the time of the wake-up: it is read when the first of them is called.
        now = 0;
        if (wait < 0 || !tasks.isEmpty()) {
            selector.selectNow(dispatch);
        } else {
            selector.select(dispatch, wait);
        }
    }

    /** Returns how long nothing is due: 0 for ever, negative for not at all. */
    private long waitMillis() {
        if (timed.isEmpty()) {
            return 0;
        }
        long current = System.nanoTime();
        long least = Long.MAX_VALUE;
        for (Handler handler : timed) {
            least = Math.min(least, handler.deadlineNanos() - current);
        }
        return least <= 0 ? -1 : (least + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    }

    private void dispatch(SelectionKey key) {
        if (now == 0) {
            now = System.nanoTime();
        }
        Handler handler = (Handler) key.attachment();
        try {
            handler.ready(key, now);
        } catch (CancelledKeyException e) {
            // Another thread closed the channel meanwhile, which is its right.
            LOGGER.log(System.Logger.Level.TRACE, "a channel was closed while it became ready", e);
        } catch (RuntimeException | Error e) {
            fail(handler, e);
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOGGER.log(System.Logger.Level.ERROR, "a task of the event loop failed", e);
            }
        }
    }

    private void runTimers() {
        if (timed.isEmpty()) {
            return;
        }
        for (Handler handler : timed) {
            if (handler.deadlineNanos() - now <= 0) {
                try {
                    handler.timeout(now);
                } catch (RuntimeException | Error e) {
                    fail(handler, e);
                }
            }
        }
    }

    // One handler's failure, also an error such as lack of memory, must not end the thread of all others.
    private void fail(Handler handler, Throwable cause) {
        LOGGER.log(System.Logger.Level.ERROR, "a connection failed inside the provider", cause);
        timed.remove(handler);
        try {
            handler.failed(cause);
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "a failed connection could not be ended", e);
        }
    }

    private void closeAll() {
        for (SelectionKey key : selector.keys()) {
            try {
                key.channel().close();
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "a channel did not close cleanly", e);
            }
        }
        try {
            selector.close();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the selector did not close cleanly", e);
        }
    }
}
