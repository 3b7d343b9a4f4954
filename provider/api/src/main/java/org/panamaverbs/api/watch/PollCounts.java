package org.panamaverbs.api.watch;

/**
 * How often a completion queue was polled. Plain numbers that cost an add a poll: where several threads poll at once
 * and the provider has no lock around them, some are lost. Read by others without any lock.
 */
public final class PollCounts {
    private long polls;
    private long empty;

    PollCounts() {}

    /** Counts a poll, before it takes anything off. */
    public void begun() {
        polls++;
    }

    /** Counts one of those as a poll that found nothing. */
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
