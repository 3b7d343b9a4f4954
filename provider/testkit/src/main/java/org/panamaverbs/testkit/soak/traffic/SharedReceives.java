package org.panamaverbs.testkit.soak.traffic;

import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.soak.ledger.Tally;
import org.panamaverbs.testkit.soak.ledger.Verdict;

/**
 * A shared receive queue with its memory and its ledger: each receive is completed at most once, and those that were
 * not are still in the queue. Used by one thread.
 */
public final class SharedReceives implements AutoCloseable {
    /** The kind bits of its work request ids. */
    static final long KIND = 2L << 62;

    private static final int GENERATION_SHIFT = 32;
    private static final int GENERATION_MASK = (1 << 30) - 1;

    private final SharedReceiveQueue queue;
    private final RegisteredBuffer memory;
    private final int receiveBytes;
    private final int[] generations;
    private final boolean[] posted;
    private int waiting;

    /** Creates a queue with {@code count} receives of {@code receiveBytes} bytes, all of them posted. */
    public SharedReceives(ProtectionDomain domain, int count, int receiveBytes, Tally tally) {
        this.receiveBytes = receiveBytes;
        queue = domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(count).withSge(1));
        memory = domain.allocate((long) count * receiveBytes, Access.LOCAL_WRITE);
        generations = new int[count];
        posted = new boolean[count];
        for (int slot = 0; slot < count; slot++) {
            post(slot, tally);
        }
    }

    /** Returns the queue. */
    public SharedReceiveQueue queue() {
        return queue;
    }

    /** Returns the memory of the receives. */
    public RegisteredBuffer memory() {
        return memory;
    }

    /** Returns where the receive of {@code wrId} is. */
    public long offset(long wrId) {
        return (long) (int) wrId * receiveBytes;
    }

    /** Enters a completion. */
    public Verdict completed(long wrId) {
        int slot = (int) wrId;
        int generation = (int) (wrId >>> GENERATION_SHIFT) & GENERATION_MASK;
        if (slot < 0 || slot >= posted.length || generation > generations[slot]) {
            return Verdict.UNKNOWN;
        }
        if (generation != generations[slot] || !posted[slot]) {
            return Verdict.DUPLICATED;
        }
        posted[slot] = false;
        waiting--;
        return Verdict.DUE;
    }

    /** Posts the receive of {@code wrId} again, under another id. */
    public void postAgain(long wrId, Tally tally) {
        post((int) wrId, tally);
    }

    private void post(int slot, Tally tally) {
        generations[slot] = (generations[slot] + 1) & GENERATION_MASK;
        long wrId = KIND | ((long) generations[slot] << GENERATION_SHIFT) | slot;
        PostStatus.check(queue.recv(wrId, memory, (long) slot * receiveBytes, receiveBytes));
        posted[slot] = true;
        waiting++;
        tally.add(Tally.Count.RECEIVES_POSTED);
    }

    /** Returns how many receives are posted and not completed. */
    public int waiting() {
        return waiting;
    }

    /** Returns how many receives of the ledger the queue has not, 0 if the device does not tell. */
    public int missing() {
        try {
            return waiting - queue.available();
        } catch (UnsupportedOperationException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        queue.close();
        memory.close();
    }
}
