package org.panamaverbs.ibverbs.call;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bindings.Downcalls;

/**
 * Where system calls wait for virtual threads, which would keep their carriers from others meanwhile. A thread that is
 * not needed for a while ends.
 *
 * @param <T> what the call answers
 */
public final class PlatformThread<T> {
    private static final String NAME = "verbs-wait";
    private static final long IDLE_SECONDS = 10;
    private static final Executor THREADS = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), PlatformThread::daemon);

    private final Callable<T> wait;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    // Guarded by this.
    private @Nullable Thread runner;
    private boolean interrupted;

    private PlatformThread(Callable<T> wait) {
        this.wait = wait;
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(null, body, NAME, 0, false);
        thread.setDaemon(true);
        return thread;
    }

    /** Runs {@code body} on a platform thread that is called {@code name} meanwhile. */
    static void start(String name, Runnable body) {
        THREADS.execute(() -> {
            Thread own = Thread.currentThread();
            own.setName(name);
            try {
                body.run();
            } finally {
                own.setName(NAME);
            }
        });
    }

    /**
     * Runs {@code wait} on a platform thread and returns its answer when it has ended. If the calling thread is
     * interrupted, so is that one; the flag of this one stays set.
     */
    public static <T> T call(Callable<T> wait) throws InterruptedException {
        PlatformThread<T> call = new PlatformThread<>(wait);
        THREADS.execute(call::run);
        return call.await();
    }

    private void run() {
        synchronized (this) {
            runner = Thread.currentThread();
            if (interrupted) {
                runner.interrupt();
            }
        }
        try {
            answer.complete(wait.call());
        } catch (Exception | Error e) {
            answer.completeExceptionally(e);
        } finally {
            synchronized (this) {
                runner = null;
            }
        }
    }

    private T await() throws InterruptedException {
        boolean flagged = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException e) {
                    flagged = true;
                    interrupt();
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InterruptedException ended) {
                throw ended;
            }
            throw Downcalls.unexpected(e.getCause() == null ? e : e.getCause());
        } finally {
            if (flagged) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void interrupt() {
        interrupted = true;
        if (runner != null) {
            runner.interrupt();
        }
    }
}
