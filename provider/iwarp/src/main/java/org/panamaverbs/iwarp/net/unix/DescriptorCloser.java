package org.panamaverbs.iwarp.net.unix;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.panamaverbs.iwarp.net.SocketCalls;

/**
 * Closes descriptors that peers have sent and nobody has judged, on threads of its own: to close one may take as long
 * as the peer likes, as with a socket that lingers or a file whose file system does not answer. Any thread.
 */
final class DescriptorCloser {
    /** What is said where {@link #isFull}. */
    static final String FULL = "too many descriptors received from peers are still to be closed";

    // So many may take for ever, and the others are closed all the same.
    private static final int MOST_THREADS = 16;
    private static final long IDLE_SECONDS = 1;
    // A peer that keeps to the rules sends none of these.
    private static final int MOST_WAITING = 512;
    private static final AtomicInteger WAITING = new AtomicInteger();
    private static final AtomicInteger THREADS = new AtomicInteger();
    private static final ThreadPoolExecutor EXECUTOR = executor();

    private DescriptorCloser() {}

    private static ThreadPoolExecutor executor() {
        ThreadPoolExecutor made = new ThreadPoolExecutor(
                MOST_THREADS,
                MOST_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> Thread.ofPlatform()
                        .daemon()
                        .name("iwarp-close-" + THREADS.incrementAndGet())
                        .inheritInheritableThreadLocals(false)
                        .unstarted(task));
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    /** Closes {@code descriptor}, soon. */
    static void close(int descriptor) {
        boolean later = false;
        WAITING.incrementAndGet();
        try {
            Runnable closing = SocketCalls.closing(descriptor);
            EXECUTOR.execute(() -> carryOut(closing));
            later = true;
        } finally {
            if (!later) {
                // No memory, also not for a lambda: it waits here rather than being lost.
                try {
                    SocketCalls.close(descriptor);
                } finally {
                    WAITING.decrementAndGet();
                }
            }
        }
    }

    private static void carryOut(Runnable closing) {
        try {
            closing.run();
        } finally {
            WAITING.decrementAndGet();
        }
    }

    /** Tells whether so many wait to be closed that no more must come until some of them are. */
    static boolean isFull() {
        return WAITING.get() >= MOST_WAITING;
    }
}
