package org.panamaverbs.api.util;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.WaitInterruptedException;

/**
 * Alternative routes to a peer: the same port again, another port, device or address. Each creates its own queue pair
 * and connects it, by the connection manager or out of band; the first that succeeds is used.
 *
 * <pre>{@code
 * Connection connection = Ways.first(
 *         List.of(at -> verbs.connect(address, config, at), at -> other.connect(otherAddress, otherConfig, at)),
 *         Duration.ofSeconds(2),
 *         Deadline.in(1, MINUTES));
 * }</pre>
 */
public final class Ways {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private Ways() {}

    /**
     * A route to the peer.
     *
     * @param <T> the result of connecting
     */
    @FunctionalInterface
    public interface Way<T> {
        /**
         * Connects; if that fails, the implementation closes what it created.
         *
         * @param deadline of this attempt
         * @throws VerbsException if this route does not lead to the peer now
         * @throws IOException if the stream of an out-of-band exchange fails
         */
        T connect(Deadline deadline) throws IOException;
    }

    /**
     * Tries the routes in order until one succeeds, and starts over 50 ms after the last. A {@link VerbsException} or
     * {@link IOException} moves on to the next route; any other exception ends the call.
     *
     * @param ways the routes, at least one
     * @param patience limit of each attempt
     * @param deadline limit of the call
     * @return the result of the first route that succeeded
     * @throws DeadlineExceededException if none succeeded before the deadline, with the last failure of each route as
     *     suppressed exceptions
     * @throws WaitInterruptedException if the thread is interrupted before or during an attempt; the interrupt flag
     *     stays set
     * @throws IllegalArgumentException if {@code ways} is empty
     */
    public static <T> T first(List<Way<T>> ways, Duration patience, Deadline deadline) {
        if (ways.isEmpty()) {
            throw new IllegalArgumentException("no route was given");
        }
        @Nullable Exception[] failures = new @Nullable Exception[ways.size()];
        for (int i = 0; ; i = (i + 1) % failures.length) {
            if (Thread.currentThread().isInterrupted()) {
                throw new WaitInterruptedException("connect", "interrupted between two routes to the peer");
            }
            if (deadline.passed() && failures[i] != null) {
                throw none(failures);
            }
            try {
                return ways.get(i).connect(sooner(patience, deadline));
            } catch (WaitInterruptedException e) {
                throw e;
            } catch (VerbsException | IOException e) {
                failures[i] = e;
            }
            if (i == failures.length - 1) {
                LockSupport.parkNanos(Math.min(PAUSE_NANOS, deadline.remainingNanos()));
            }
        }
    }

    private static Deadline sooner(Duration patience, Deadline deadline) {
        Deadline own = Deadline.in(patience);
        return deadline.unlimited() || own.remainingNanos() < deadline.remainingNanos() ? own : deadline;
    }

    private static DeadlineExceededException none(@Nullable Exception[] failures) {
        DeadlineExceededException late = new DeadlineExceededException(
                "connect",
                "none of " + failures.length + " routes reached the peer before the deadline; remedy: read"
                        + " the suppressed exceptions for each cause");
        for (Exception failure : failures) {
            if (failure != null) {
                late.addSuppressed(failure);
            }
        }
        return late;
    }
}
