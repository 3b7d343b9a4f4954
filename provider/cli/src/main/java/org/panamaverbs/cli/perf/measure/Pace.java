package org.panamaverbs.cli.perf.measure;

import java.time.Duration;

/** How long a measurement goes on, and what is said meanwhile. */
public final class Pace {
    /** Says nothing. */
    public static final Progress SILENT = (done, of, seconds) -> {};

    private static final long NEVER = Long.MAX_VALUE;
    private static final long SECOND = 1_000_000_000L;
    private static final long PROGRESS_NANOS = 5 * SECOND;

    private final long limit;
    private final long durationNanos;
    private final Progress progress;
    private long begun = NEVER;
    private long nextProgress;
    private long count;

    private Pace(long limit, long durationNanos, Progress progress) {
        this.limit = limit;
        this.durationNanos = durationNanos;
        this.progress = progress;
    }

    /** Hears from time to time how far it has come. */
    public interface Progress {
        void at(long done, long of, long seconds);
    }

    /** Goes on for {@code count} messages. */
    public static Pace of(long count, Progress progress) {
        return new Pace(count, NEVER, progress);
    }

    /** Goes on for {@code duration}. */
    public static Pace of(Duration duration, Progress progress) {
        return new Pace(NEVER, duration.toNanos(), progress);
    }

    /** Counts one more message, unless it is time to end. */
    boolean goesOn(long now) {
        if (count == 0) {
            begun = now;
            nextProgress = now + PROGRESS_NANOS;
        }
        if (count == limit || now - begun >= durationNanos) {
            return false;
        }
        if (now - nextProgress >= 0) {
            nextProgress = now + PROGRESS_NANOS;
            progress.at(count, limit == NEVER ? 0 : limit, (now - begun) / SECOND);
        }
        count++;
        return true;
    }

    /** Counts up to {@code most} more messages, at least 1; returns how many there may be. */
    int take(int most, long now) {
        if (!goesOn(now)) {
            return 0;
        }
        int more = (int) Math.min(most - 1L, limit - count);
        count += more;
        return 1 + more;
    }

    /** Returns what watches the peak of a run at this pace that is begun {@code now}. */
    PeakRate peakRate(long now) {
        return new PeakRate(limit == NEVER ? 0 : limit, durationNanos == NEVER ? 0 : durationNanos, now);
    }

    /** Returns how many messages were counted. */
    long count() {
        return count;
    }
}
