package org.panamaverbs.testkit;

import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.Deadline;

/** The deadlines of tests: {@code -Dverbs.test.deadline} seconds for everything that should happen, 30 unless set. */
public final class Waits {
    private static final long SECONDS = Long.getLong("verbs.test.deadline", 30);

    private Waits() {}

    /** Returns the deadline of something that should happen. */
    public static Deadline deadline() {
        return Deadline.in(SECONDS, TimeUnit.SECONDS);
    }

    /** Returns the deadline of something that should not happen, or whose lateness is the test: 100 ms. */
    public static Deadline brief() {
        return Deadline.in(100, TimeUnit.MILLISECONDS);
    }
}
