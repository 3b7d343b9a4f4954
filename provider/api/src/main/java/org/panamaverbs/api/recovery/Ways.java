package org.panamaverbs.api.recovery;

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
 * The ways to a peer: the same port again, another port, another device, another address. Each makes its own queue pair
 * and connects it, by the connection manager or by hand; the first that leads there is taken.
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

    /** A way to the peer. */
    @FunctionalInterface
    public interface Way<T> {
        /**
         * Connects; what it made is closed again if that fails.
         *
         * @throws VerbsException if this way does not lead to the peer now
         * @throws IOException if the stream of an exchange by hand fails
         */
        T connect(Deadline deadline) throws IOException;
    }

    /**
     * Tries the ways one after the other, and again from the first 50 ms after the last, until one leads to the peer. A
     * way that fails with a {@link VerbsException} or an {@link IOException} is passed over; whatever else it throws is
     * thrown here.
     *
     * @param patience how long each attempt may take
     * @return what the first way returned that did not fail
     * @throws DeadlineExceededException if none led to the peer before the deadline; why the last attempts failed is
     *     suppressed in it, one for each way
     * @throws WaitInterruptedException if the thread is interrupted before or meanwhile; the interrupt flag stays set
     * @throws IllegalArgumentException if there is no way
     */
    public static <T> T first(List<Way<T>> ways, Duration patience, Deadline deadline) {
        if (ways.isEmpty()) {
            throw new IllegalArgumentException("there is no way to try");
        }
        @Nullable Exception[] failures = new @Nullable Exception[ways.size()];
        for (int i = 0; ; i = (i + 1) % failures.length) {
            if (Thread.currentThread().isInterrupted()) {
                throw new WaitInterruptedException("connect", "interrupted between the ways to the peer");
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
                "none of " + failures.length + " routes led to the peer before the deadline; remedy: read"
                        + " the suppressed exceptions for each cause");
        for (Exception failure : failures) {
            if (failure != null) {
                late.addSuppressed(failure);
            }
        }
        return late;
    }
}
