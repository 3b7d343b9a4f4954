package org.panamaverbs.iwarp.engine.cm;

import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.engine.context.EventLoop;

/** Waits for attempts as {@link Connector} does, for tests that give them transports of their own. */
public final class Attempts {
    private Attempts() {}

    /** Waits until {@code attempt} is over; throws what who connects is told. */
    public static void await(Attempt attempt, EventLoop loop, Setup setup, Deadline deadline) {
        attempt.await(loop, setup, deadline);
    }
}
