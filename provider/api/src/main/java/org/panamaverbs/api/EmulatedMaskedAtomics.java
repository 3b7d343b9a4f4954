package org.panamaverbs.api;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.AtomicTarget;
import org.panamaverbs.memory.MaskedAtomics;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * Masked FetchAdd, masked CmpSwap and Swap on devices that have only the plain 64-bit CmpSwap: a loop of CmpSwaps,
 * asked for by name and never used behind the application's back. Where {@link Capabilities.Feature#MASKED_ATOMICS} is,
 * post the real ones: they take one round trip whatever others do.
 *
 * <p>How it works: the CmpSwap compares with the value that was seen last and stores the new one; if the cell held
 * something else, that is now known and the next attempt uses it. So an operation takes one round trip if the cell is
 * as this object left it, two if not, and more while others change it between two attempts. Each failed attempt means
 * that another's operation succeeded; no peer can be held up by one that stops. A cell that changed and changed back
 * does no harm, since the result depends on its value alone.
 *
 * <p>What it is atomic against: everything that the device's CmpSwap is atomic against. That is every atomic on the
 * cell through the same device of the target, emulated or not; plain RDMA Writes and the target's processors only where
 * {@link Capabilities.Feature#GLOBAL_ATOMICS} says so.
 *
 * <p>What it needs: a connected queue pair with nothing of the application in its send queue, whose sends complete in a
 * completion queue of its own. The calls block: they post one signaled request at a time under {@link #WR_ID}, poll
 * that queue until it completes, and return when the operation is over. They allocate nothing. Not thread-safe: one
 * thread at a time; for several threads make several queue pairs. An interrupt ends the wait for a CmpSwap, as a
 * deadline does, with a {@link WaitInterruptedException} in place of {@link Outcome#UNKNOWN}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7306#section-5.1">RFC 7306, section 5.1</a>
 */
public final class EmulatedMaskedAtomics {
    /** The id of its work requests. */
    public static final long WR_ID = 0x456D_756C_6174_6564L;

    /** How an operation ended. */
    public enum Outcome {
        /** It took effect once, at one instant; {@link #before()} is the value at that instant. */
        DONE,
        /** Others changed the cell between all the attempts: it had no effect. Try again later or allow more. */
        CONTENDED,
        /** The deadline passed between two attempts: it had no effect. */
        TIMED_OUT,
        /**
         * The deadline passed while a CmpSwap was under way: it takes effect or not. The next call waits for that
         * request first, so that the queue pair stays usable.
         */
        UNKNOWN,
        /**
         * A CmpSwap failed with {@link #completionStatus()}, and the queue pair with it. On
         * {@link WcStatus#REMOTE_ACCESS_ERROR} and the like it had no effect; on a lost connection it may have had.
         */
        FAILED,
        /** A CmpSwap was not accepted for the reason in {@link #postStatus()}: it had no effect. */
        REFUSED
    }

    private final QueuePair queuePair;
    private final CompletionQueue queue;
    private final RegisteredBuffer result;
    private final long resultOffset;
    private final AtomicTarget fetched;
    private final int maxAttempts;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(1);

    /** What the cell of the next operation is believed to hold; if it does not, that costs one attempt. */
    private long expected;

    private boolean underWay;
    private long before;
    private int attempts;
    private int postStatus;
    private WcStatus completionStatus = WcStatus.SUCCESS;

    private EmulatedMaskedAtomics(
            QueuePair queuePair, RegisteredBuffer result, long resultOffset, AtomicTarget fetched, int maxAttempts) {
        this.queuePair = queuePair;
        this.queue = queuePair.config().sendQueue();
        this.result = result;
        this.resultOffset = resultOffset;
        this.fetched = fetched;
        this.maxAttempts = maxAttempts;
    }

    /**
     * Emulates over {@code queuePair}, which stays the caller's.
     *
     * @param queuePair of a device with {@link Capabilities.Feature#ATOMICS}; its sends are this object's from now on
     * @param result where the CmpSwaps put what they found, with {@code LOCAL_WRITE}
     * @param resultOffset of 8 bytes of it with an aligned address, this object's from now on
     * @param maxAttempts CmpSwaps an operation, at least 2: the first may only learn what the cell holds
     * @throws IllegalArgumentException if there are too few attempts, the result is not aligned or cannot be written,
     *     or the receives of the queue pair complete where its sends do
     * @throws IndexOutOfBoundsException if the result is not within the buffer
     */
    public static EmulatedMaskedAtomics over(
            QueuePair queuePair, RegisteredBuffer result, long resultOffset, int maxAttempts) {
        if (maxAttempts < 2) {
            throw new IllegalArgumentException("an operation needs at least 2 attempts, got " + maxAttempts);
        }
        if (!Access.LOCAL_WRITE.in(result.access())) {
            throw new IllegalArgumentException(result.resourceName() + " lacks LOCAL_WRITE, and CmpSwap writes into"
                    + " it; remedy: register it with LOCAL_WRITE");
        }
        if (queuePair.config().sendQueue().equals(queuePair.config().receiveQueue())) {
            throw new IllegalArgumentException("the receives of queue pair " + queuePair.number()
                    + " complete in the queue of its sends; remedy: give the receives a queue of their own with"
                    + " withReceiveQueue");
        }
        AtomicTarget fetched = result.atomicTarget(resultOffset);
        return new EmulatedMaskedAtomics(queuePair, result, resultOffset, fetched, maxAttempts);
    }

    /**
     * Adds {@code add} to the fields of the cell at {@code offset} of {@code remote}, with carries cut at each set bit
     * of {@code fieldMask}, the top bit of a field; 0 for one 64-bit addition.
     *
     * @throws IndexOutOfBoundsException if the cell is not within {@code remote}
     * @throws IllegalArgumentException if {@code remote} grants no atomics or the cell is not aligned
     * @throws IllegalStateException if the queue pair, its completion queue or the result is closed, or a completion of
     *     another request was polled
     * @throws UnsupportedOperationException if the device has no CmpSwap
     * @throws WaitInterruptedException if the thread is interrupted, before or while a CmpSwap is under way, which
     *     takes effect or not; the interrupt flag stays set, and the next call waits for that CmpSwap first
     */
    public Outcome fetchAdd(RemoteBuffer remote, long offset, long add, long fieldMask, Deadline deadline) {
        long target = remote.checkedAtomicOffset(offset);
        if (!begin(deadline)) {
            return Outcome.TIMED_OUT;
        }
        while (true) {
            Outcome end =
                    attempt(target, remote.stagValue(), MaskedAtomics.fetchAdd(expected, add, fieldMask), deadline);
            if (end != null) {
                return end;
            }
        }
    }

    /**
     * Sets the bits of {@code swapMask} in the cell at {@code offset} of {@code remote} to those of {@code swap} if the
     * cell equals {@code compare} in the bits of {@code compareMask}. {@link Outcome#DONE} says that this was decided;
     * whether it swapped says {@link MaskedAtomics#matches} of {@link #before()}. Throws as {@link #fetchAdd}.
     */
    public Outcome cmpSwap(
            RemoteBuffer remote,
            long offset,
            long compare,
            long swap,
            long compareMask,
            long swapMask,
            Deadline deadline) {
        long target = remote.checkedAtomicOffset(offset);
        if (!begin(deadline)) {
            return Outcome.TIMED_OUT;
        }
        while (true) {
            // Without a match the CmpSwap stores what is there already: it only looks, atomically.
            long desired = MaskedAtomics.matches(expected, compare, compareMask)
                    ? MaskedAtomics.swap(expected, swap, swapMask)
                    : expected;
            Outcome end = attempt(target, remote.stagValue(), desired, deadline);
            if (end != null) {
                return end;
            }
            // The failed CmpSwap has read the cell atomically: that decides a mismatch.
            if (!MaskedAtomics.matches(before, compare, compareMask)) {
                return Outcome.DONE;
            }
        }
    }

    /**
     * Stores {@code value} in the cell at {@code offset} of {@code remote} whatever it holds. Throws as
     * {@link #fetchAdd}.
     */
    public Outcome swap(RemoteBuffer remote, long offset, long value, Deadline deadline) {
        return cmpSwap(remote, offset, 0, value, 0, -1L, deadline);
    }

    /** Returns what the cell held when the last operation took effect; valid after {@link Outcome#DONE}. */
    public long before() {
        return before;
    }

    /** Returns how many CmpSwaps the last operation took, 0 to the most it was allowed. */
    public int attempts() {
        return attempts;
    }

    /** Returns the status of the last completion; other than success after {@link Outcome#FAILED}. */
    public WcStatus completionStatus() {
        return completionStatus;
    }

    /** Returns what the last post answered, a {@link PostStatus}; negative after {@link Outcome#REFUSED}. */
    public int postStatus() {
        return postStatus;
    }

    @Override
    public String toString() {
        return "emulated masked atomics on queue pair " + queuePair.number() + ", up to " + maxAttempts + " attempts";
    }

    /** Waits for what the last operation left under way; returns false if the deadline passes. */
    private boolean begin(Deadline deadline) {
        attempts = 0;
        postStatus = PostStatus.ACCEPTED;
        completionStatus = WcStatus.SUCCESS;
        return !(underWay && !awaitCompletion(deadline)) && !deadline.passed();
    }

    /**
     * Does one CmpSwap from what is expected to {@code desired}; returns how the operation ended, or null if the cell
     * held something else, which is expected from now on.
     */
    private @Nullable Outcome attempt(long target, int rkey, long desired, Deadline deadline) {
        if (attempts == maxAttempts) {
            return Outcome.CONTENDED;
        }
        if (attempts > 0 && deadline.passed()) {
            return Outcome.TIMED_OUT;
        }
        postStatus = queuePair.postAtomic(
                SendOpcode.CMP_SWAP,
                WR_ID,
                result.checkedAddress(resultOffset, Long.BYTES),
                result.lkey(),
                target,
                rkey,
                expected,
                desired,
                -1L,
                -1L,
                SendFlag.SIGNALED);
        if (postStatus < 0) {
            return Outcome.REFUSED;
        }
        underWay = true;
        attempts++;
        if (!awaitCompletion(deadline)) {
            return Outcome.UNKNOWN;
        }
        if (completionStatus != WcStatus.SUCCESS) {
            return Outcome.FAILED;
        }
        before = fetched.getAcquire();
        boolean swapped = before == expected;
        expected = swapped ? desired : before;
        return swapped ? Outcome.DONE : null;
    }

    private boolean awaitCompletion(Deadline deadline) {
        if (CompletionWait.spin("emulated atomic", queue, completions, Long.MAX_VALUE, deadline) == 0) {
            return false;
        }
        WorkCompletion completion = completions.get(0);
        if (completion.wrId() != WR_ID || completion.qpNumber() != queuePair.number()) {
            throw new IllegalStateException(
                    "the completion queue of " + this + " is not its own: it brought " + completion);
        }
        underWay = false;
        completionStatus = completion.status();
        return true;
    }
}
