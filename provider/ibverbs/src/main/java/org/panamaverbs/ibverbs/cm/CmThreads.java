package org.panamaverbs.ibverbs.cm;

import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.panamaverbs.spi.support.DeferredLog;

/** The daemon threads of a channel: one that takes events, and those that its calls block on. */
final class CmThreads {
    private static final long IDLE_SECONDS = 5;

    private final String device;
    // Made before, as there may be no memory for it when it is needed.
    private final String noThread;
    private final ThreadPoolExecutor executor;

    /** Creates the threads of {@code device}; none is started yet. */
    CmThreads(String device) {
        this.device = device;
        noThread = "no thread could be started for the connection manager of device " + device + "; retrying";
        AtomicInteger number = new AtomicInteger();
        executor = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                body -> daemon("verbs-cm-" + device + "-" + number.incrementAndGet(), body));
    }

    /** Returns a thread to take events on, not started. */
    Thread forEvents(Runnable body) {
        return daemon("verbs-cm-" + device, body);
    }

    /** Runs {@code body}, which may block, on a thread of its own; returns false if there cannot be another now. */
    boolean execute(Runnable body) {
        try {
            executor.execute(body);
            return true;
        } catch (RejectedExecutionException e) {
            return executeLate(body);
        } catch (OutOfMemoryError e) {
            DeferredLog.log(CmThreads.class, Level.WARNING, noThread, e);
            return false;
        }
    }

    /** Runs {@code body} after the channel has ended. */
    private boolean executeLate(Runnable body) {
        try {
            daemon("verbs-cm-" + device + "-late", body).start();
            return true;
        } catch (OutOfMemoryError e) {
            DeferredLog.log(CmThreads.class, Level.WARNING, noThread, e);
            return false;
        }
    }

    /** Ends idle threads, and each other when its call has returned. */
    void shutdown() {
        executor.shutdown();
    }

    private static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 0, false);
        thread.setDaemon(true);
        return thread;
    }
}
