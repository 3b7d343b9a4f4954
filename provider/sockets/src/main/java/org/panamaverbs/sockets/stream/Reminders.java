package org.panamaverbs.sockets.stream;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What reminds the streams of a device of what they do now and then: to ask their peers for a sign of life, and to give
 * memory back. One thread, from the first of them on.
 */
final class Reminders implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Reminders.class.getName());

    private @Nullable ScheduledThreadPoolExecutor timer;

    /**
     * Runs {@code work}, which waits for nothing, every so many seconds until the result is cancelled.
     *
     * @throws OutOfMemoryError if the system refuses the thread; nothing is left of it then
     * @throws java.util.concurrent.RejectedExecutionException if this was closed
     */
    synchronized Future<?> every(int seconds, Runnable work) {
        if (timer == null) {
            ScheduledThreadPoolExecutor made = new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("rsockets-reminders").factory());
            made.setRemoveOnCancelPolicy(true);
            made.prestartCoreThread(); // what fails here leaves nothing queued that no thread would run
            timer = made;
        }
        return timer.scheduleAtFixedRate(() -> run(work), seconds, seconds, TimeUnit.SECONDS);
    }

    private static void run(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            // What happens to one stream ends no other, nor what it does later.
            LOG.log(Level.ERROR, "what an rsocket does now and then failed", e);
        }
    }

    @Override
    public synchronized void close() {
        if (timer != null) {
            timer.shutdownNow();
        }
    }
}
