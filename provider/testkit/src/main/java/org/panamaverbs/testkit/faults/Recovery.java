package org.panamaverbs.testkit.faults;

import java.util.Deque;

/**
 * What is done and looked at after a fault: each part whatever became of those before it, so that one failure tells of
 * all that is wrong. For one thread.
 */
public final class Recovery {
    private final AssertionError failure = new AssertionError("not as before");

    /** Begins with nothing found. */
    public Recovery() {}

    /** A part of a recovery. */
    @FunctionalInterface
    public interface Step {
        /** Runs the step; throws where something is not as before. */
        void run() throws Exception;
    }

    /** Runs {@code step}; {@link #check} throws what it throws, and says that it is of {@code what}. */
    public void step(String what, Step step) {
        try {
            step.run();
        } catch (Exception | AssertionError e) {
            failure.addSuppressed(new AssertionError(what + ": " + e, e));
        }
    }

    /** Closes all that is {@code open}, from its head, a step each, and takes it from there. */
    public void closeAll(Deque<AutoCloseable> open) {
        while (!open.isEmpty()) {
            AutoCloseable each = open.pop();
            step("closing " + each, each::close);
        }
    }

    /**
     * Does nothing if no step has failed.
     *
     * @throws AssertionError with the failure of each step that has, suppressed
     */
    public void check() {
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }
}
