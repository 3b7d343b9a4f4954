package org.panamaverbs.api.util;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.AtomicTarget;
import org.panamaverbs.memory.MaskedAtomics;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * Emulates masked FetchAdd, masked CmpSwap and Swap over the plain 64-bit CmpSwap, by repeated attempts. Only on
 * request: no other operation falls back to it. With {@link Capabilities.Feature#MASKED_ATOMICS}, post the real ones,
 * which always take one round trip.
 *
 * <ul>
 *   <li><b>Cost</b>: each CmpSwap compares with the value seen last. An operation takes one round trip if the cell is
 *       as this object left it, two if not, more under contention. A failed attempt means that another operation
 *       succeeded; a stopped peer blocks nobody. A cell that changed and changed back is harmless, since only its value
 *       counts.
 *   <li><b>Atomicity</b>: that of the device's CmpSwap. It covers every atomic on the cell through the same target
 *       device, emulated or not; RDMA Writes and the target's processors only with
 *       {@link Capabilities.Feature#GLOBAL_ATOMICS}.
 *   <li><b>Requirements</b>: a connected queue pair whose send queue is otherwise unused, and whose sends complete in a
 *       completion queue of their own.
 *   <li><b>Threads</b>: calls block. They post one signaled request at a time under {@link #WR_ID} and poll until it
 *       completes. They allocate nothing. One thread at a time; several threads need several queue pairs. An interrupt
 *       ends the wait for a CmpSwap as a deadline does, with {@link WaitInterruptedException} instead of
 *       {@link Outcome#UNKNOWN}.
 * </ul>
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7306#section-5.1">RFC 7306, section 5.1</a>
 */
public final class EmulatedMaskedAtomics {
    /** The {@code wr_id} of its work requests. */
    public static final long WR_ID = 0x456D_756C_6174_6564L;

    /** The outcome of an operation. */
    public enum Outcome {
        /** Took effect once and atomically; {@link #before()} is the previous value. */
        DONE,
        /** No effect: other operations changed the cell between all attempts. Retry later, or allow more attempts. */
        CONTENDED,
        /** No effect: the deadline passed between two attempts. */
        TIMED_OUT,
        /**
         * The deadline passed while a CmpSwap was outstanding, which may or may not take effect. The next call waits
         * for it first, so that the queue pair stays usable.
         */
        UNKNOWN,
        /**
         * A CmpSwap failed with {@link #completionStatus()}, and the queue pair with it. No effect on
         * {@link WcStatus#REMOTE_ACCESS_ERROR} and similar; unknown on a lost connection.
         */
        FAILED,
        /** No effect: a CmpSwap was refused with {@link #postStatus()}. */
        REFUSED
    }

    private final QueuePair queuePair;
    private final CompletionQueue queue;
    private final RegisteredBuffer result;
    private final long resultOffset;
    private final AtomicTarget fetched;
    private final int maxAttempts;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(1);
    private final WorkRequest request = WorkRequest.of(SendOpcode.CMP_SWAP);

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
        this.queue = queuePair.config().sendCq();
        this.result = result;
        this.resultOffset = resultOffset;
        this.fetched = fetched;
        this.maxAttempts = maxAttempts;
    }

    /**
     * Creates an emulation over {@code queuePair}, which stays the caller's to close.
     *
     * @param queuePair of a device with {@link Capabilities.Feature#ATOMICS}; its send queue is reserved for this
     *     object
     * @param result receives the previous values, with {@code LOCAL_WRITE}
     * @param resultOffset of 8 bytes in {@code result} at an aligned address, reserved for this object
     * @param maxAttempts CmpSwaps per operation, at least 2: the first may only learn the cell's value
     * @throws IllegalArgumentException if {@code maxAttempts} is less than 2, the result is not aligned or not
     *     writable, or sends and receives of the queue pair share a completion queue
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
        if (queuePair.config().sendCq().equals(queuePair.config().recvCq())) {
            throw new IllegalArgumentException("the receives of queue pair " + queuePair.number()
                    + " complete in the queue of its sends; remedy: give the receives a queue of their own with"
                    + " withRecvCq");
        }
        AtomicTarget fetched = result.atomicTarget(resultOffset);
        return new EmulatedMaskedAtomics(queuePair, result, resultOffset, fetched, maxAttempts);
    }

    /**
     * Adds separately to each field of a 64-bit cell.
     *
     * @param remote the target, with {@code REMOTE_ATOMIC}
     * @param offset the cell in {@code remote}, in bytes; its remote address must be a multiple of 8
     * @param add the addends, one in each field
     * @param fieldMask the top bit of each field; 0 for one 64-bit addition
     * @param deadline until when to try
     * @return the outcome
     * @throws IndexOutOfBoundsException if the cell is not within {@code remote}
     * @throws IllegalArgumentException if {@code remote} does not grant atomics, or the cell is not aligned
     * @throws IllegalStateException if the queue pair, its completion queue or the result is closed, or a completion of
     *     another request was polled
     * @throws UnsupportedOperationException if the device does not support CmpSwap
     * @throws WaitInterruptedException if the thread is interrupted before or while a CmpSwap is outstanding, which may
     *     or may not take effect; the interrupt flag stays set, and the next call waits for it first
     */
    public Outcome fetchAdd(RemoteBuffer remote, long offset, long add, long fieldMask, Deadline deadline) {
        long target = remote.checkedAtomicOffset(offset);
        if (!begin(deadline)) {
            return Outcome.TIMED_OUT;
        }
        while (true) {
            Outcome end = attempt(target, remote.rkey(), MaskedAtomics.fetchAdd(expected, add, fieldMask), deadline);
            if (end != null) {
                return end;
            }
        }
    }

    /**
     * Sets the bits of {@code swapMask} to those of {@code swap} if the cell equals {@code compare} in the bits of
     * {@code compareMask}; otherwise as {@link #fetchAdd}.
     *
     * @return the outcome; after {@link Outcome#DONE}, {@link MaskedAtomics#matches} of {@link #before()} tells whether
     *     it swapped
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
            Outcome end = attempt(target, remote.rkey(), desired, deadline);
            if (end != null) {
                return end;
            }
            // The failed CmpSwap has read the cell atomically: that decides a mismatch.
            if (!MaskedAtomics.matches(before, compare, compareMask)) {
                return Outcome.DONE;
            }
        }
    }

    /** Stores {@code value} in the cell unconditionally; otherwise as {@link #fetchAdd}. */
    public Outcome swap(RemoteBuffer remote, long offset, long value, Deadline deadline) {
        return cmpSwap(remote, offset, 0, value, 0, -1L, deadline);
    }

    /** Returns the previous value of the cell; valid after {@link Outcome#DONE}. */
    public long before() {
        return before;
    }

    /** Returns the number of CmpSwaps of the last operation. */
    public int attempts() {
        return attempts;
    }

    /** Returns the status of the last completion; not success after {@link Outcome#FAILED}. */
    public WcStatus completionStatus() {
        return completionStatus;
    }

    /** Returns the {@link PostStatus} of the last post; negative after {@link Outcome#REFUSED}. */
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
        postStatus = queuePair.post(request.opcode(SendOpcode.CMP_SWAP)
                .wrId(WR_ID)
                .local(result, resultOffset, Long.BYTES)
                .remote(target, rkey)
                .compareAndSwap(expected, desired)
                .flags(SendFlag.SIGNALED));
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
        try {
            queue.poll(completions, deadline);
        } catch (DeadlineExceededException e) {
            return false;
        }
        WorkCompletion completion = completions.get(0);
        if (completion.wrId() != WR_ID || completion.qpNumber() != queuePair.number()) {
            throw new IllegalStateException(
                    "the completion queue of " + this + " also has completions of other requests, got " + completion
                            + "; remedy: give the queue pair a completion queue of its own");
        }
        underWay = false;
        completionStatus = completion.status();
        return true;
    }
}
