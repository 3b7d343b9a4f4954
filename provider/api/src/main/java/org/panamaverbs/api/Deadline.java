package org.panamaverbs.api;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A point in time at which waits end. Create it once and pass it down, so that several waits share one time budget.
 * Immutable.
 *
 * <p>What a wait does when it passes:
 *
 * <ul>
 *   <li>A wait for something that the caller has begun or requires, such as a connection, a completion or an end,
 *       throws {@link DeadlineExceededException}.
 *   <li>A wait for what others may begin or not, such as events, requests at a listener or the peer's disconnect,
 *       returns that there was none: an empty {@code Optional}, 0 or false.
 *   <li>Helpers of {@link org.panamaverbs.api.util} that can end in several ways return it as one of them.
 * </ul>
 *
 * @param nanoTime the {@link System#nanoTime()} at which it passes; ignored if {@code unlimited}
 * @param unlimited true if it never passes
 */
public record Deadline(long nanoTime, boolean unlimited) {
    private static final Deadline NEVER = new Deadline(0, true);

    /**
     * Returns the deadline {@code amount} units from now. Zero or negative amounts have passed already; amounts beyond
     * 146 years never pass.
     */
    public static Deadline in(long amount, TimeUnit unit) {
        long nanos = unit.toNanos(amount);
        if (nanos > Long.MAX_VALUE / 2) {
            return NEVER;
        }
        return new Deadline(System.nanoTime() + Math.max(0, nanos), false);
    }

    /** Returns the deadline {@code duration} from now; otherwise as with an amount. */
    public static Deadline in(Duration duration) {
        return in(TimeUnit.NANOSECONDS.convert(duration), TimeUnit.NANOSECONDS);
    }

    /** Returns a deadline that has passed already: a wait with it only checks once. */
    public static Deadline now() {
        return in(0, TimeUnit.NANOSECONDS);
    }

    /** Returns a deadline that never passes. */
    public static Deadline never() {
        return NEVER;
    }

    /** Returns whether it has passed. */
    public boolean passed() {
        return !unlimited && System.nanoTime() - nanoTime >= 0;
    }

    /** Returns the remaining nanoseconds, 0 if it has passed, {@link Long#MAX_VALUE} if it never passes. */
    public long remainingNanos() {
        return unlimited ? Long.MAX_VALUE : Math.max(0, nanoTime - System.nanoTime());
    }
}
