package org.panamaverbs.testkit.faults;

import java.time.Duration;

/** A call near the end of the stack, at several depths. */
public final class StackEnd {
    private static final long STACK_BYTES = 512 << 10;
    private static final int FRAMES = 1024;
    private static final long LIMIT_SECONDS = 30;

    private final Runnable call;
    private final boolean eachFrame;
    private int overflows;

    private StackEnd(Runnable call, boolean eachFrame) {
        this.call = call;
        this.eachFrame = eachFrame;
    }

    /**
     * Runs {@code call} on a thread of its own at the end of its stack and 1, 2, 4 to {@value #FRAMES} frames before
     * it, and returns how often that ended in a {@code StackOverflowError}. A call that fails otherwise may be the
     * consequence of one before.
     *
     * @throws AssertionError if the thread does not come back
     */
    public static int overflows(Runnable call) throws InterruptedException {
        return overflows(new StackEnd(call, false));
    }

    /** Does the same {@value #FRAMES} and fewer frames before the end, at each of them: for a call that is short. */
    public static int overflowsOfEachFrame(Runnable call) throws InterruptedException {
        return overflows(new StackEnd(call, true));
    }

    private static int overflows(StackEnd end) throws InterruptedException {
        Thread thread = new Thread(null, end::dive, "stack-end", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        if (!thread.join(Duration.ofSeconds(LIMIT_SECONDS))) {
            AssertionError failure = new AssertionError("a call did not come back in " + LIMIT_SECONDS + " s");
            failure.setStackTrace(thread.getStackTrace());
            throw failure;
        }
        return end.overflows;
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
        if (beyond <= FRAMES && (eachFrame || Integer.bitCount(beyond) <= 1)) {
            once();
        }
        return beyond;
    }

    private void once() {
        try {
            call.run();
        } catch (StackOverflowError e) {
            overflows++;
        } catch (RuntimeException | LinkageError e) {
            // What failed before has a say in it; and what is linked first where the stack ends is lost.
        }
    }
}
