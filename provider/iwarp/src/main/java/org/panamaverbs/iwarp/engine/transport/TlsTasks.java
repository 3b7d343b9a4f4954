package org.panamaverbs.iwarp.engine.transport;

import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.engine.device.EventLoop;

/**
 * Where TLS computes keys and looks at certificates while connections are set up: threads of its own, so that a trust
 * manager that asks others for its answer keeps nobody waiting but who is to be trusted.
 */
public final class TlsTasks {
    // Each is of a connection that is being set up; those of abandoned ones that do not end count as well.
    private static final int MAX_RUNNING = 16_384;

    private final EventLoop loop;
    private final AtomicInteger running = new AtomicInteger();

    public TlsTasks(EventLoop loop) {
        this.loop = loop;
    }

    /** One that was started. */
    static final class Task {
        private final Runnable work;
        private volatile @Nullable Thread thread;
        private volatile @Nullable Throwable thrown;
        private volatile boolean abandoned;
        private volatile boolean done;

        private Task(Runnable work) {
            this.work = work;
        }

        private void run() {
            try {
                if (!abandoned) {
                    work.run();
                }
            } catch (RuntimeException | Error e) {
                thrown = e;
            } finally {
                done = true;
            }
        }

        /** Tells whether it is over. */
        boolean isDone() {
            return done;
        }

        /** Throws what it threw. */
        void check() throws SSLException {
            Throwable found = thrown;
            if (found != null) {
                throw new SSLException("TLS set-up failed internally: " + found, found);
            }
        }

        /** Nobody waits for it any more: it does not begin, or is interrupted. */
        void abandon() {
            abandoned = true;
            Thread its = thread;
            if (its != null) {
                its.interrupt();
            }
        }
    }

    /**
     * Starts {@code work}; {@code after} is run on the event loop's thread when it is over.
     *
     * @throws SSLException if too many run
     */
    Task start(Runnable work, Runnable after) throws SSLException {
        if (running.incrementAndGet() > MAX_RUNNING) {
            running.decrementAndGet();
            throw new SSLException("more than " + MAX_RUNNING + " connections are in TLS set-up");
        }
        Task task = new Task(work);
        task.thread = Thread.ofVirtual().name("iwarp-tls").start(() -> {
            try {
                task.run();
            } finally {
                running.decrementAndGet();
                loop.execute(after);
            }
        });
        return task;
    }
}
