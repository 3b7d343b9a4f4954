package org.panamaverbs.bench.loopback.exchange;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The thread that plays the peer: repeats a step until it is closed. What goes wrong on it shows on the other one. */
public final class PeerThread implements AutoCloseable {
    private static final long CLOSE_MILLIS = TimeUnit.SECONDS.toMillis(30);

    /** What the peer does, again and again. */
    @FunctionalInterface
    public interface Step {
        /** Returns whether there was anything to do. */
        boolean work() throws Exception;
    }

    private final Thread thread;
    private final Patience patience = new Patience();
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;

    private PeerThread(Step step) {
        thread = Thread.ofPlatform().name("bench-peer").daemon().unstarted(() -> repeat(step));
    }

    /** Starts a thread that repeats {@code step}. */
    public static PeerThread start(Step step) {
        PeerThread peer = new PeerThread(step);
        peer.thread.start();
        return peer;
    }

    private void repeat(Step step) {
        try {
            while (!closed) {
                if (step.work()) {
                    patience.renew();
                } else {
                    patience.idle();
                }
            }
        } catch (Throwable e) {
            if (!closed) {
                failure = e;
            }
        }
    }

    /** Throws what went wrong with the peer, if something has. */
    public void check() {
        Throwable e = failure;
        if (e != null) {
            throw new IllegalStateException("the peer's thread failed: " + e, e);
        }
    }

    /** Ends the thread after the step that it is in, and waits for that. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IllegalStateException("the peer's thread did not end within " + CLOSE_MILLIS + " ms");
        }
    }
}
