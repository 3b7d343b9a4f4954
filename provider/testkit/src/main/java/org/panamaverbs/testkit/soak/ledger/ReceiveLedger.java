package org.panamaverbs.testkit.soak.ledger;

/**
 * What is due to the requests of one receive queue: each is completed exactly once, in the order of posting, and none
 * succeeds after one has failed. Used by one thread.
 */
public final class ReceiveLedger {
    private long head;
    private long tail;
    private boolean failed;
    private long flushed;
    private long lost;

    /** Returns the sequence number of the request that is posted next. */
    public long next() {
        return tail;
    }

    /** Enters the request {@link #next()}, which was accepted. */
    public void posted() {
        tail++;
    }

    /** Enters a completion. */
    public Verdict completed(long sequence, boolean success) {
        if (sequence < 0 || sequence >= tail) {
            return Verdict.UNKNOWN;
        }
        if (sequence < head) {
            return Verdict.DUPLICATED;
        }
        boolean outOfTurn = sequence != head || (success && failed);
        lost += sequence - head;
        head = sequence + 1;
        if (!success) {
            flushed++;
            failed = true;
        }
        return outOfTurn ? Verdict.REORDERED : Verdict.DUE;
    }

    /** Returns how many are not completed. */
    public long waiting() {
        return tail - head;
    }

    /** Closes the ledger: no more completions come, what was not completed is lost. */
    public void finish() {
        lost += discard();
    }

    /** Closes the ledger, since the queue pair was destroyed with requests in it, and returns how many these were. */
    public long discard() {
        long discarded = tail - head;
        head = tail;
        return discarded;
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
