package org.panamaverbs.iwarp.engine;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.panamaverbs.iwarp.engine.device.EventLoop;

/** A piece of a test that runs beside it. */
final class Background<T> {
    private static final Set<String> DRIVING = Set.of(EventLoop.class.getName(), RingSleep.class.getName());

    private final FutureTask<T> task;
    private final Thread thread;

    private Background(Callable<T> work) {
        task = new FutureTask<>(work);
        thread = Thread.ofPlatform().daemon().name("test-background").unstarted(task);
    }

    static <T> Background<T> start(Callable<T> work) {
        Background<T> background = new Background<>(work);
        background.thread.start();
        return background;
    }

    /** Returns once the thread sleeps in a wait, or in the system to drive streams when that wakes it. */
    Background<T> whenWaiting() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!isWaiting()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("the thread does not wait but is " + thread.getState());
            }
            Thread.yield();
        }
        return this;
    }

    private boolean isWaiting() {
        Thread.State state = thread.getState();
        return state == Thread.State.TIMED_WAITING
                || state == Thread.State.WAITING
                || Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame ->
                                frame.getMethodName().equals("turn") && DRIVING.contains(frame.getClassName()));
    }

    Thread thread() {
        return thread;
    }

    T get() throws InterruptedException {
        try {
            return task.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("not done in time", e);
        }
    }
}
