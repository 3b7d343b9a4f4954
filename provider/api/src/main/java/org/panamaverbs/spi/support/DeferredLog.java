package org.panamaverbs.spi.support;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A log for code that holds a lock, or runs on a thread that serves many connections. Lines are written soon, on a
 * separate thread: a handler of the application may call into the locked connection, and would wait for itself.
 *
 * <p>Logging never fails or blocks. Lines are dropped if there is no memory, or {@value #MOST} are pending; the next
 * line reports their number. A process that ends waits until pending lines are written: without limit after its last
 * thread, for a second in {@link System#exit}, where the system's logging may be closed before. Any thread may call any
 * method.
 */
public final class DeferredLog {
    private static final int MOST = 1000;
    private static final long EXIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final VarHandle WRITING;

    static {
        try {
            WRITING = MethodHandles.lookup().findStaticVarHandle(DeferredLog.class, "writing", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final Queue<Line> LINES = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger WAITING = new AtomicInteger();
    private static final Runnable WRITER = DeferredLog::write;
    // A shutdown hook only while a thread writes: the system would keep this class, and its loader, for ever.
    private static final Thread EXIT = Thread.ofPlatform()
            .name("verbs-log-exit")
            .inheritInheritableThreadLocals(false)
            .unstarted(DeferredLog::awaitWritten);

    static {
        // The system's own initializers are lost for good as well where the stack ends in one.
        hook(true);
        hook(false);
    }

    // Whether a thread writes.
    private static volatile boolean writing;
    // Lines since the last one that was written; of two at once one may be missed.
    private static volatile int dropped;

    private record Line(
            Class<?> source,
            System.Logger.Level level,
            String text,
            @Nullable Throwable cause) {}

    private DeferredLog() {}

    /** Initializes this class while there is memory: a failed initializer cannot be repeated. */
    public static void prepare() {
        // That it is called is enough.
    }

    /** Writes {@code text} to the log of {@code source}, soon. */
    public static void log(Class<?> source, System.Logger.Level level, String text) {
        keep(source, level, text, null);
    }

    /** Writes {@code text} and {@code cause} to the log of {@code source}, soon. */
    public static void log(Class<?> source, System.Logger.Level level, String text, Throwable cause) {
        keep(source, level, text, cause);
    }

    private static void keep(Class<?> source, System.Logger.Level level, String text, @Nullable Throwable cause) {
        boolean kept = false;
        try {
            if (WAITING.get() < MOST) {
                LINES.add(new Line(source, level, text, cause));
                kept = true;
                WAITING.incrementAndGet();
            }
            // Also where it is full: no thread may have been to be had so far.
            start();
        } catch (RuntimeException | Error e) {
            // What it would have told has been dealt with, and nothing else may be kept from being done.
        }
        if (!kept) {
            int before = dropped;
            dropped = before + 1;
        }
    }

    private static void start() {
        if (writing || !WRITING.compareAndSet(false, true)) {
            return;
        }
        boolean started = false;
        try {
            Thread writer = thread();
            hook(true);
            writer.start();
            started = true;
        } finally {
            if (!started) {
                try {
                    hook(false);
                } finally {
                    // Last, and not in a call: where the stack ends, calls fail.
                    writing = false;
                }
            }
        }
    }

    /** Has the end of the process wait, or not any longer; by who has set {@link #writing}. */
    private static void hook(boolean waits) {
        try {
            if (waits) {
                Runtime.getRuntime().addShutdownHook(EXIT);
            } else {
                Runtime.getRuntime().removeShutdownHook(EXIT);
            }
        } catch (RuntimeException | Error e) {
            // The process ends already; or there is no memory or stack to have it wait, or was none the last time.
        }
    }

    private static void awaitWritten() {
        long begun = System.nanoTime();
        while (writing && System.nanoTime() - begun < EXIT_NANOS) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static Thread thread() {
        return Thread.ofPlatform()
                .daemon(false) // a program that dies of what it has to say goes on until that is said
                .name("verbs-log")
                .inheritInheritableThreadLocals(false)
                .unstarted(WRITER);
    }

    private static void write() {
        do {
            for (Line line = LINES.poll(); line != null; line = LINES.poll()) {
                WAITING.decrementAndGet();
                write(line);
            }
            hook(false);
            writing = false;
            // A line that came meanwhile found this thread still writing.
        } while (!LINES.isEmpty() && resumed());
    }

    private static boolean resumed() {
        boolean resumed = WRITING.compareAndSet(false, true);
        if (resumed) {
            hook(true);
        }
        return resumed;
    }

    private static void write(Line line) {
        try {
            System.Logger logger = System.getLogger(line.source.getName());
            if (logger.isLoggable(line.level)) {
                int before = dropped;
                dropped = 0;
                String text = before == 0 ? line.text : line.text + " (" + before + " other lines were dropped)";
                logger.log(line.level, text, line.cause);
            }
        } catch (RuntimeException | Error e) {
            // A handler's own failure; the lines behind this one are still to be written.
            Thread.onSpinWait();
        }
    }
}
