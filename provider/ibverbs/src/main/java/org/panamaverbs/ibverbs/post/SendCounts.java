package org.panamaverbs.ibverbs.post;

import org.panamaverbs.ibverbs.completion.WorkCounts;

/** What was handed to the driver of one send queue. Under its gate; read by others for statistics. */
final class SendCounts {
    private final WorkCounts done;
    private final boolean signalAll;
    private long posted;
    private long octets;
    private long calls;
    // Whether its queue pair is destroyed.
    private volatile boolean ended;
    // How often it started anew; what was known before says nothing of what came since.
    private volatile int life;
    // As many were posted when it did so last.
    private long postedBefore;
    // Signaled ones, modulo 2^32.
    private int signaled;
    // As they are once all that is being handed over was taken.
    private long octetsThen;
    private int signaledThen;

    /** Creates counts that tell {@code done} which requests will complete. */
    SendCounts(WorkCounts done, boolean signalAll) {
        this.done = done;
        this.signalAll = signalAll;
    }

    /** Notes what is to be handed over, before that: it may complete before the call returns. */
    void hand(SendSlots slots, int first, int end) {
        octetsThen = octets;
        signaledThen = signaled;
        for (int slot = first; slot < end; slot++) {
            octetsThen += slots.octets(slot);
            signal(slots.isSignaled(slot), slot - first);
        }
    }

    /** Notes a request that is not in a slot, of {@code payload} bytes. */
    void hand(boolean isSignaled, int payload) {
        octetsThen = octets + payload;
        signaledThen = signaled;
        signal(isSignaled, 0);
    }

    private void signal(boolean isSignaled, int before) {
        if (isSignaled || signalAll) {
            done.signaled(signaledThen++, posted + before + 1);
        }
    }

    /** Notes that the driver took all of them. */
    void taken(int count) {
        calls++;
        posted += count;
        octets = octetsThen;
        signaled = signaledThen;
    }

    /** Notes that the driver took {@code count} of them, from {@code first} on. */
    void takenOf(SendSlots slots, int first, int count) {
        hand(slots, first, first + count);
        taken(count);
    }

    /** Tells whether the last request is signaled, or none was posted in this life. */
    boolean endsSignaled() {
        return posted == postedBefore || done.endsSignaled(signaled, posted);
    }

    /** Returns a number that each {@link #startAnew} changes. Any thread. */
    int life() {
        return life;
    }

    /** Returns how many signaled ones there are, modulo 2^32, for {@link #haveSucceeded}. */
    int signaled() {
        return signaled;
    }

    /**
     * Tells whether the first {@code count} signaled ones have succeeded, as far as completions were taken off; not any
     * more once the {@link #life} that they were posted in has ended. Any thread.
     */
    synchronized boolean haveSucceeded(int count, int itsLife) {
        return life == itsLife && done.haveSucceeded(count);
    }

    int unfinished() {
        return done.signaledAfter(signaled);
    }

    boolean allSucceeded() {
        return done.allSucceeded(posted);
    }

    /** Has all that was posted counted as done, and begins another life. */
    synchronized void startAnew(long receivesPosted) {
        postedBefore = posted;
        life++;
        done.startAnew(signaled, posted, receivesPosted);
    }

    /** Tells whether request {@code number} of all that were posted, from 1, is known to be done. Any thread. */
    boolean isDone(long number) {
        return ended || done.sends() >= number;
    }

    /** Has all of it done for ever: the native queue pair is destroyed. */
    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    long posted() {
        return posted;
    }

    long octets() {
        return octets;
    }

    long calls() {
        return calls;
    }
}
