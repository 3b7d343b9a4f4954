package org.panamaverbs.testkit.conformance.protection;

import java.util.EnumSet;
import java.util.Set;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.ReceiveQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Receives with every combination of faults, of which the first is told in the order that every provider keeps. Nothing
 * is posted: what has no fault is not tried.
 *
 * @param maxSge pieces that a receive of the queues has at most
 * @param buffer of their domain
 */
public record ReceiveFaults(int maxSge, RegisteredBuffer buffer) {
    private static final int MOST_PIECES = 256;

    /** What stands against every receive. */
    public enum State {
        /** The queue is closed. */
        CLOSED,
        /** The queue pair uses a shared receive queue. */
        SHARED,
        /** The queue is full. */
        FULL,
        /** Nothing. */
        READY
    }

    /** Fails unless each receive posted to {@code queue} that has a fault tells the first. */
    public void expectInOrder(ReceiveQueue queue, State state) {
        Differences found = new Differences();
        for (long length : new long[] {0, 8, -1, SgList.MAX_LENGTH + 1}) {
            Set<Told> faults = faults(state, 1, length);
            found.expect(
                    faults,
                    "receive of " + length + " " + state,
                    () -> queue.postRecv(1, buffer.iova(), length, buffer.lkey()));
        }
        for (int pieces : new int[] {1, 2, maxSge + 1}) {
            for (long piece : new long[] {0, 8, 1L << 31}) {
                if (pieces <= MOST_PIECES) {
                    lists(queue, state, pieces, piece, found);
                }
            }
        }
        found.expectNone();
    }

    private void lists(ReceiveQueue queue, State state, int pieces, long piece, Differences found) {
        SgList list = SgList.ofCapacity(pieces);
        for (int i = 0; i < pieces; i++) {
            list.add(buffer.iova(), piece, buffer.lkey());
        }
        Set<Told> faults = faults(state, pieces, list.totalBytes());
        String what = "receive of " + pieces + " times " + piece + " " + state;
        found.expect(faults, what, () -> queue.postRecv(1, list));
        ReceiveList receives = ReceiveList.ofCapacity(2, pieces).add(1, list).add(2, list);
        found.expect(faults, "list: " + what, () -> queue.postRecv(receives, 0, 2));
        faults.add(Told.OUT_OF_RANGE);
        found.expect(faults, "before its list: " + what, () -> queue.postRecv(receives, -1, 1));
        found.expect(faults, "behind its list: " + what, () -> queue.postRecv(receives, 1, 2));
        found.expect(faults, "of a negative count: " + what, () -> queue.postRecv(receives, 0, -1));
    }

    private Set<Told> faults(State state, int pieces, long length) {
        Set<Told> faults = EnumSet.noneOf(Told.class);
        switch (state) {
            case CLOSED -> faults.add(Told.CLOSED);
            case SHARED -> faults.add(Told.SHARED);
            case FULL -> faults.add(Told.QUEUE_FULL);
            case READY -> {}
        }
        if (length < 0) {
            faults.add(Told.INVALID);
        }
        if (pieces > maxSge) {
            faults.add(Told.TOO_MANY_SEGMENTS);
        }
        if (length > SgList.MAX_LENGTH) {
            faults.add(Told.MESSAGE_TOO_LONG);
        }
        return faults;
    }
}
