package org.panamaverbs.spi.watch;

/**
 * Poll counts of a completion queue. Plain fields: if several threads poll at once without a lock of the provider, some
 * polls are not counted. Read by other threads without a lock.
 */
public final class PollCounts {
    private long polls;
    private long empty;

    PollCounts() {}

    /** Counts a poll, before it takes anything. */
    public void begun() {
        polls++;
    }

    /** Counts a poll that found nothing, which {@link #begun} counted as well. */
    public void foundNothing() {
        empty++;
    }

    long polls() {
        return polls;
    }

    long empty() {
        return empty;
    }
}
