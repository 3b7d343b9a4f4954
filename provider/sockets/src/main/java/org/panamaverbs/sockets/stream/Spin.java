package org.panamaverbs.sockets.stream;

import java.util.concurrent.TimeUnit;

/** How long a wait polls before it sleeps. */
final class Spin {
    /** Nanoseconds, of the property {@code verbs.sockets.spin} in microseconds, 0 to 1,000,000; as C has it, 10. */
    static final long NANOS =
            TimeUnit.MICROSECONDS.toNanos(Math.clamp(Integer.getInteger("verbs.sockets.spin", 10), 0, 1_000_000));

    private Spin() {}
}
