package org.panamaverbs.sockets.stream;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What reminds the streams of a device to ask their peers for a sign of life: one thread, from the first of them on.
 */
final class Keepalives implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Keepalives.class.getName());

    private @Nullable ScheduledThreadPoolExecutor timer;

    /** Runs {@code ask}, which waits for nothing, every so many seconds until the result is cancelled. */
    synchronized Future<?> every(int seconds, Runnable ask) {
        if (timer == null) {
            timer = new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("rsockets-keepalive").factory());
            timer.setRemoveOnCancelPolicy(true);
        }
        return timer.scheduleAtFixedRate(() -> run(ask), seconds, seconds, TimeUnit.SECONDS);
    }

    private static void run(Runnable ask) {
        try {
            ask.run();
        } catch (RuntimeException | Error e) {
            // What happens to one stream ends no other, nor what is asked of it later.
            LOG.log(Level.ERROR, "a keepalive could not be sent to the peer of an rsocket", e);
        }
    }

    @Override
    public synchronized void close() {
        if (timer != null) {
            timer.shutdownNow();
        }
    }
}
