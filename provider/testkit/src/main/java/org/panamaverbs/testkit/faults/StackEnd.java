package org.panamaverbs.testkit.faults;

import java.time.Duration;

/** Calls near the end of the stack, with one frame more of room each time. */
public final class StackEnd {
    private static final long STACK_BYTES = 512 << 10;
    private static final int FRAMES = 600;
    private static final long LIMIT_SECONDS = 30;

    private final Runnable call;
    // The thread's until it has ended.
    private int tried;
    private int overflows;

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
     * Runs {@code call} on a thread of its own at the end of its stack, one frame before it, and so on.
     *
     * @throws AssertionError if the thread does not come back, as it does where a lock stays locked
     */
    public static Outcome each(Runnable call) throws InterruptedException {
        StackEnd end = new StackEnd(call);
        Thread thread = new Thread(null, end::dive, "stack-end", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        if (!thread.join(Duration.ofSeconds(LIMIT_SECONDS))) {
            AssertionError failure = new AssertionError("the thread did not come back in " + LIMIT_SECONDS + " s");
            failure.setStackTrace(thread.getStackTrace());
            throw failure;
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
        }
        return beyond;
    }

    private void once() {
        try {
            tried++;
            call.run();
        } catch (StackOverflowError e) {
            overflows++;
        } catch (RuntimeException e) {
            // What failed before has a say in it.
        }
    }
}
