package org.panamaverbs.spi.watch;

import java.lang.System.Logger.Level;
import java.util.function.Supplier;
import org.panamaverbs.spi.support.DeferredLog;

/**
 * How many lines a device may write of what its peers cause: {@value #MOST} within a minute, so that no peer fills a
 * log. What is beyond goes to DEBUG, and the next line says how many those were. Any thread.
 */
final class LineRate {
    /** Lines of a minute. */
    static final int MOST = 10;

    private static final long MINUTE_NANOS = 60_000_000_000L;
    /** None may be written. */
    static final int NONE = -1;

    // Guarded by this: when the lines of the last minute were written, the oldest at next.
    private final long[] written = new long[MOST];
    private int count;
    private int next;
    private int withheld;

    /**
     * Logs {@code text} on behalf of {@code source}, whose logger is {@code its}, at INFO if a line may be written and
     * at DEBUG otherwise; the next line at INFO says how many those were.
     */
    void log(System.Logger its, Class<?> source, Supplier<String> text) {
        int before = take(System.nanoTime());
        if (before == NONE) {
            if (its.isLoggable(Level.DEBUG)) {
                DeferredLog.log(source, Level.DEBUG, text.get());
            }
            return;
        }
        String more = before == 0 ? "" : " (" + before + " more since the last such line, logged at DEBUG)";
        DeferredLog.log(source, Level.INFO, text.get() + more);
    }

    /**
     * Asks for a line at {@code nowNanos}, of {@link System#nanoTime()}.
     *
     * @return how many were withheld since the last one, or {@link #NONE} if this one is to be
     */
    synchronized int take(long nowNanos) {
        if (count == MOST && nowNanos - written[next] < MINUTE_NANOS) {
            withheld++;
            return NONE;
        }
        written[next] = nowNanos;
        next = (next + 1) % MOST;
        count = Math.min(MOST, count + 1);
        int before = withheld;
        withheld = 0;
        return before;
    }
}
