package org.panamaverbs.iwarp.engine.cm;

import org.panamaverbs.api.Deadline;

/** Makes attempts as {@link Connector} does, for tests that give them transports of their own. */
public final class Attempts {
    private Attempts() {}

    /** Has {@code setup} connect for {@code attempt}. */
    public static void begin(Attempt attempt, Setup setup) {
        attempt.begin(() -> setup, Setup::connect);
    }

    /** Waits until {@code attempt} is over; throws what who connects is told. */
    public static void await(Attempt attempt, Deadline deadline) {
        attempt.connection(deadline);
    }
}
