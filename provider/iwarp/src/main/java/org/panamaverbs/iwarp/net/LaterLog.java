package org.panamaverbs.iwarp.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The log of what happens under a lock, or on the thread of an event loop. It is written on a thread of its own, soon:
 * a handler of the application's may call into the very connection that is locked, and would wait for itself.
 *
 * <p>Logging never fails and never waits: a line that there is no memory or no stack for is dropped, and so is one
 * behind {@value #MOST} that are not written yet. Any thread.
 */
public final class LaterLog {
    private static final int MOST = 1000;
    private static final VarHandle WRITING;

    static {
        try {
            WRITING = MethodHandles.lookup().findStaticVarHandle(LaterLog.class, "writing", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Without locks: lines come from the end of the stack, too.
    private static final Queue<Line> LINES = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger WAITING = new AtomicInteger();
    // Whether a thread writes. Taken back by a store, which needs no stack.
    private static volatile boolean writing;

    private record Line(Class<?> source, System.Logger.Level level, String text, Throwable cause) {}

    private LaterLog() {}

    /** Initializes this class where there is stack and memory for it: what fails in an initializer is lost for good. */
    public static void prepare() {
        // That it is called is enough.
    }

    /** Writes {@code text} and {@code cause} to the log of {@code source}, soon. */
    public static void log(Class<?> source, System.Logger.Level level, String text, Throwable cause) {
        try {
            if (WAITING.get() < MOST) {
                LINES.add(new Line(source, level, text, cause));
                WAITING.incrementAndGet();
                start();
            }
        } catch (RuntimeException | Error e) {
            // What it would have told has been dealt with, and nothing else may be kept from being done.
            Thread.onSpinWait();
        }
    }

    private static void start() {
        if (writing || !WRITING.compareAndSet(false, true)) {
            return;
        }
        boolean started = false;
        try {
            Thread.ofPlatform()
                    .daemon()
                    .name("iwarp-log")
                    .inheritInheritableThreadLocals(false)
                    .start(LaterLog::write);
            started = true;
        } finally {
            if (!started) {
                writing = false;
            }
        }
    }

    private static void write() {
        do {
            for (Line line = LINES.poll(); line != null; line = LINES.poll()) {
                WAITING.decrementAndGet();
                write(line);
            }
            writing = false;
            // A line that came meanwhile found this thread still writing.
        } while (!LINES.isEmpty() && WRITING.compareAndSet(false, true));
    }

    private static void write(Line line) {
        try {
            System.getLogger(line.source.getName()).log(line.level, line.text, line.cause);
        } catch (RuntimeException | Error e) {
            // A handler's own failure; the lines behind this one are still to be written.
            Thread.onSpinWait();
        }
    }
}
