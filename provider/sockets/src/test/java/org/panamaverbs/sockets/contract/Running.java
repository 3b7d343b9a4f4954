package org.panamaverbs.sockets.contract;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An operation that another thread does. */
final class Running implements AutoCloseable {
    /** How often in a row a thread is seen to stand still before it is taken to be blocked. */
    private static final int LOOKS = 3;

    private final CompletableFuture<String> outcome = new CompletableFuture<>();
    private final Thread thread;

    Running(Callable<?> operation, boolean virtual) {
        Thread.Builder builder =
                virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        thread = builder.name("running").start(() -> {
            String result = Trial.outcome(operation);
            outcome.complete(result + (Thread.currentThread().isInterrupted() ? " interrupted" : ""));
        });
    }

    /** Returns what came of it, once it is over. */
    String end() throws Exception {
        return outcome.get(Trial.DEADLINE_NANOS, TimeUnit.NANOSECONDS);
    }

    boolean isOver() {
        return outcome.isDone();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Waits until the thread waits for something. */
    Running awaitBlocked() {
        if (!blocks()) {
            throw new IllegalStateException("it did not wait: " + outcome.join());
        }
        return this;
    }

    /** Waits until the thread waits for something; false if it is over instead. */
    boolean blocks() {
        long begun = System.nanoTime();
        for (int looks = 0; looks < LOOKS; looks = isBlocked() ? looks + 1 : 0) {
            if (outcome.isDone()) {
                return false;
            }
            Trial.requireTime(begun);
        }
        return true;
    }

    private boolean isBlocked() {
        StackTraceElement[] frames = thread.getStackTrace();
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING -> isIn(frames, "channels") || isIn(frames, "sockets") || isIn(frames, "nio");
            case BLOCKED -> isIn(frames, "sun.nio.ch");
            case RUNNABLE ->
                frames.length > 0
                        && (frames[0].isNativeMethod()
                                || frames[0].getClassName().contains("iwarp"))
                        && (isIn(frames, "sun.nio.ch.Net")
                                || isIn(frames, "sun.nio.ch.EPoll")
                                || isIn(frames, "sun.nio.ch.SocketDispatcher")
                                || isIn(frames, "EpollPoller"));
            default -> false;
        };
    }

    private static boolean isIn(StackTraceElement[] frames, String part) {
        for (StackTraceElement each : frames) {
            if (each.getClassName().contains(part)) {
                return true;
            }
        }
        return false;
    }

    /** Has a thread that still runs end, so that it holds nothing. */
    @Override
    public void close() {
        if (!outcome.isDone()) {
            thread.interrupt();
        }
    }
}
