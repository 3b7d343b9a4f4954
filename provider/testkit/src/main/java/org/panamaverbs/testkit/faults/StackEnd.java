package org.panamaverbs.testkit.faults;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Calls near the end of the stack, with one frame more of room each time. */
public final class StackEnd {
    private static final long STACK_BYTES = 512 << 10;
    private static final int FRAMES = 300;
    // Farther on, until one call has come through: such as ask for room before they begin.
    private static final int FAR_STEP = 16;
    private static final long LIMIT_SECONDS = 30;

    private final Runnable call;
    // The thread's until it has ended.
    private int tried;
    private int overflows;
    private @Nullable Throwable failure;
    // Given to and fro by stores: at the end of the stack nothing can be called for it.
    private volatile boolean betweenCalls;

    private StackEnd(Runnable call) {
        this.call = call;
    }

    /**
     * What came of it.
     *
     * @param tried how often the call was made
     * @param overflows how often it threw a {@code StackOverflowError}
     */
    public record Outcome(int tried, int overflows) {}

    /**
     * Runs {@code call} on a thread of its own at the end of its stack, one frame before it, and so on. A call may
     * throw a {@code RuntimeException}: calls whose stack has ended before can be the cause of it.
     *
     * @throws AssertionError if the thread does not come back, as it does where a lock stays locked, and, after all
     *     calls, if one threw what is no {@code RuntimeException}, {@code StackOverflowError} or {@code LinkageError}:
     *     the first of these is the cause
     */
    public static Outcome each(Runnable call) throws InterruptedException {
        return each(call, () -> {});
    }

    /** Does the same, and after each call runs {@code between} on the calling thread, which has stack enough. */
    public static Outcome each(Runnable call, Runnable between) throws InterruptedException {
        StackEnd end = new StackEnd(call);
        Thread thread = new Thread(null, end::dive, "stack-end", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        long last = System.nanoTime();
        while (thread.isAlive()) {
            if (end.betweenCalls) {
                between.run();
                end.betweenCalls = false;
                last = System.nanoTime();
            } else if (System.nanoTime() - last > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
                AssertionError failure = new AssertionError("a call did not come back in " + LIMIT_SECONDS + " s");
                failure.setStackTrace(thread.getStackTrace());
                throw failure;
            } else {
                Thread.yield();
            }
        }
        if (end.failure != null) {
            throw new AssertionError("a call near the end of the stack failed: " + end.failure, end.failure);
        }
        return new Outcome(end.tried, end.overflows);
    }

    /** Goes to the end, and makes the call on the way back; returns how many frames there are beyond this one. */
    @SuppressWarnings("InfiniteRecursion") // it ends, by the error
    private int dive() {
        int beyond;
        try {
            beyond = dive() + 1;
        } catch (StackOverflowError e) {
            beyond = 0;
        }
        if (beyond < FRAMES) {
            once();
        } else if (tried == overflows && beyond % FAR_STEP == 0) {
            once();
            if (tried != overflows) {
                nearer();
            }
        }
        return beyond;
    }

    /** Goes back from the first call that came through to the one before, which did not, with each frame between. */
    private void nearer() {
        for (int frames = 1; frames <= 2 * FAR_STEP; frames++) {
            deeper(frames);
        }
    }

    private int deeper(int frames) {
        if (frames == 0) {
            once();
            return 0;
        }
        return deeper(frames - 1) + 1;
    }

    private void once() {
        try {
            tried++;
            call.run();
        } catch (StackOverflowError | LinkageError e) {
            // What is linked here for the first time cannot be linked any more: the call site is lost, by Java's rule.
            overflows++;
        } catch (RuntimeException e) {
            // What failed before has a say in it.
        } catch (Throwable e) {
            // Kept by a store: there may be no stack to tell of it, and the thread is to try the other frames too.
            if (failure == null) {
                failure = e;
            }
        }
        betweenCalls = true;
        while (betweenCalls) {
            // The other thread works meanwhile.
        }
    }
}
