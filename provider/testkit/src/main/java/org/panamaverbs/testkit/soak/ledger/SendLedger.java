package org.panamaverbs.testkit.soak.ledger;

/**
 * What is due to the requests of one send queue: each is completed exactly once, in the order of posting, and after the
 * first failure none succeeds and none is left out, signaled or not. An unsignaled request that succeeds is told by the
 * next signaled one. Used by one thread.
 */
public final class SendLedger {
    /** Hears of requests that are done, in the order of posting. */
    public interface Listener {
        /** Request {@code sequence} has succeeded. */
        void succeeded(long sequence);
    }

    private final Listener listener;
    private final boolean[] signaled;
    private final int mask;
    private long head;
    private long tail;
    private int signaledWaiting;
    private boolean failed;
    private long told;
    private long implied;
    private long flushed;
    private long lost;

    /** Makes an empty one for up to {@code depth} requests, a power of two. */
    public SendLedger(int depth, Listener listener) {
        if (Integer.bitCount(depth) != 1) {
            throw new IllegalArgumentException("the depth must be a power of two, got " + depth);
        }
        this.listener = listener;
        signaled = new boolean[depth];
        mask = depth - 1;
    }

    /** Returns the sequence number of the request that is posted next. */
    public long next() {
        return tail;
    }

    /** Tells whether another request has room. */
    public boolean hasRoom() {
        return tail - head <= mask;
    }

    /** Enters the request {@link #next()}, which was accepted. */
    public void posted(boolean isSignaled) {
        if (!hasRoom()) {
            throw new IllegalStateException("more requests than the ledger has room for");
        }
        signaled[(int) tail++ & mask] = isSignaled;
        signaledWaiting += isSignaled ? 1 : 0;
    }

    /** Enters a completion. */
    public Verdict completed(long sequence, boolean success) {
        if (sequence < 0 || sequence >= tail) {
            return Verdict.UNKNOWN;
        }
        if (sequence < head) {
            return Verdict.DUPLICATED;
        }
        boolean wasSignaled = signaled[(int) sequence & mask];
        boolean outOfTurn = skipTo(sequence) || (success && failed);
        head = sequence + 1;
        signaledWaiting -= wasSignaled ? 1 : 0;
        if (success) {
            told++;
            listener.succeeded(sequence);
        } else {
            flushed++;
            failed = true;
        }
        if (outOfTurn) {
            return Verdict.REORDERED;
        }
        return success && !wasSignaled ? Verdict.UNASKED : Verdict.DUE;
    }

    // What a later completion implies for those before it; true if one of them should have been told.
    private boolean skipTo(long sequence) {
        boolean missing = false;
        for (; head < sequence; head++) {
            if (signaled[(int) head & mask] || failed) {
                signaledWaiting -= signaled[(int) head & mask] ? 1 : 0;
                lost++;
                missing = true;
            } else {
                implied++;
                listener.succeeded(head);
            }
        }
        return missing;
    }

    /** Tells whether a completion is certain to come still: of a signaled request, or of any after a failure. */
    public boolean awaits() {
        return signaledWaiting > 0 || (failed && head < tail);
    }

    /** Returns how many requests are not done as far as is known. */
    public long waiting() {
        return tail - head;
    }

    /**
     * Closes the ledger: no more completions come. Requests that are signaled or stand behind a failure are lost;
     * others may have succeeded silently.
     */
    public void finish() {
        for (; head < tail; head++) {
            if (signaled[(int) head & mask] || failed) {
                lost++;
            } else {
                implied++;
            }
        }
        signaledWaiting = 0;
    }

    /** Closes the ledger, since the queue pair was destroyed with requests in it, and returns how many these were. */
    public long discard() {
        long discarded = tail - head;
        head = tail;
        signaledWaiting = 0;
        return discarded;
    }

    /** Returns how many requests succeeded and were told. */
    public long told() {
        return told;
    }

    /** Returns how many unsignaled requests succeeded as far as later completions or the end say. */
    public long implied() {
        return implied;
    }

    /** Returns how many failed or were flushed. */
    public long flushed() {
        return flushed;
    }

    /** Returns how many completions never came. */
    public long lost() {
        return lost;
    }
}
