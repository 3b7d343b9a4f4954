package org.panamaverbs.ibverbs.crash;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A thread that does something once, or again and again until that throws. */
final class OtherThread {
    private static final long BRIEFLY_MILLIS = 50;

    private final String name;
    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicLong rounds = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> end = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean enough;

    private OtherThread(String name, Expect.Action action, boolean again) {
        this.name = name;
        thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> {
            started.countDown();
            try {
                do {
                    action.run();
                    rounds.incrementAndGet();
                } while (again && !enough);
            } catch (Throwable e) {
                end.set(e);
            }
        });
    }

    /** Starts a thread that does {@code action} once, and gives it time to get into it. */
    static OtherThread once(String name, Expect.Action action) {
        return new OtherThread(name, action, false).start();
    }

    /** Starts a thread that does {@code action} once, and returns at once. */
    static OtherThread atOnce(String name, Expect.Action action) {
        OtherThread other = new OtherThread(name, action, false);
        other.thread.start();
        return other;
    }

    /** Starts a thread that does {@code action} until it throws or {@link #stop} is called, and gives it some time. */
    static OtherThread again(String name, Expect.Action action) {
        return new OtherThread(name, action, true).start();
    }

    /** It must end by itself, by returning or by what the API throws; says how. */
    String ended() {
        try {
            that(thread.join(java.time.Duration.ofSeconds(45)), "is stuck");
        } catch (InterruptedException e) {
            throw new CaseFailure("interrupted", e);
        }
        Throwable thrown = end.get();
        if (thrown instanceof Error error) {
            throw new CaseFailure(name + " threw " + error, error);
        }
        return Expect.either(name + " after " + rounds + " rounds", () -> {
            if (thrown instanceof Exception exception) {
                throw exception;
            }
        });
    }

    /** Lets the thread end after the round it is in; otherwise as {@link #ended}. */
    String stop() {
        enough = true;
        return ended();
    }

    boolean isRunning() {
        return thread.isAlive();
    }

    private OtherThread start() {
        thread.start();
        try {
            that(started.await(20, TimeUnit.SECONDS), "did not start");
        } catch (InterruptedException e) {
            throw new CaseFailure("interrupted", e);
        }
        Expect.meanwhile(BRIEFLY_MILLIS);
        return this;
    }

    private void that(boolean condition, String otherwise) {
        Expect.that(condition, name + " " + otherwise);
    }
}
