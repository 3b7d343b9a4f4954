package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a channel's blocking mode. Streams of {@link java.nio.channels.Channels} hold it while they read or write
 * a channel that is not the JDK's. A thread that has to wait releases it meanwhile, so that one thread can read while
 * another writes.
 */
final class BlockingLock {
    private final Object monitor;

    /** Threads that hold the monitor and wait for a {@link Direction}; changed under the monitor. */
    private volatile int waiting;

    /** Creates the lock of a channel whose {@link java.nio.channels.SelectableChannel#blockingLock} is given. */
    BlockingLock(Object monitor) {
        this.monitor = monitor;
    }

    /** Tells whether the calling thread holds it. */
    boolean isHeld() {
        return Thread.holdsLock(monitor);
    }

    /** An operation that may wait. */
    interface Waiting {
        long run() throws IOException;
    }

    /**
     * Runs {@code operation} on another thread, while the calling thread, which holds the lock, releases it. An
     * interrupt does not end it: the channel, which is closed by that, does.
     */
    long released(Waiting operation) throws IOException {
        Elsewhere elsewhere = new Elsewhere(operation);
        Thread.ofVirtual().name("rsockets-wait").start(elsewhere);
        awaitUninterruptibly(elsewhere);
        return elsewhere.result();
    }

    /** Runs {@code operation}, which has no result and no exception; otherwise as {@link #released}. */
    void releasedFor(Runnable operation) {
        try {
            released(() -> {
                operation.run();
                return 0;
            });
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitUninterruptibly(Elsewhere elsewhere) {
        boolean interrupted = false;
        synchronized (monitor) {
            while (!elsewhere.isDone()) {
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** An operation on another thread; its end is told by the monitor. */
    private final class Elsewhere implements Runnable {
        private final Waiting operation;

        // Guarded by the monitor.

        private boolean done;
        private long count;
        private @Nullable Throwable failure;

        Elsewhere(Waiting operation) {
            this.operation = operation;
        }

        @Override
        public void run() {
            long its = 0;
            Throwable why = null;
            try {
                its = operation.run();
            } catch (IOException | RuntimeException | Error e) {
                why = e;
            }
            synchronized (monitor) {
                count = its;
                failure = why;
                done = true;
                monitor.notifyAll();
            }
        }

        boolean isDone() {
            return done;
        }

        long result() throws IOException {
            return switch (failure) {
                case null -> count;
                case IOException e -> throw e;
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalStateException(failure);
            };
        }
    }

    /**
     * The lock of threads that read, or of those that write. Who holds the monitor releases it to wait for this one.
     */
    final class Direction {
        private final ReentrantLock lock = new ReentrantLock();

        void lock() {
            if (lock.tryLock()) {
                return;
            }
            if (isHeld()) {
                lockReleased();
            } else {
                lock.lock();
            }
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
        private void lockReleased() {
            boolean interrupted = false;
            synchronized (monitor) {
                waiting++;
                try {
                    while (!lock.tryLock()) {
                        try {
                            monitor.wait();
                        } catch (InterruptedException e) {
                            interrupted = true;
                        }
                    }
                } finally {
                    waiting--;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        void unlock() {
            lock.unlock();
            if (waiting > 0) {
                synchronized (monitor) {
                    monitor.notifyAll();
                }
            }
        }
    }
}
