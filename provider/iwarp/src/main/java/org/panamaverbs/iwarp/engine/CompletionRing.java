package org.panamaverbs.iwarp.engine;

import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.iwarp.core.CompletionRun;
import org.panamaverbs.iwarp.core.CompletionSink;
import org.panamaverbs.spi.support.CompletionWriter;

/**
 * Completions in order, in arrays made once. Not thread-safe: the completion queue locks.
 *
 * <p>A completion is a row of words, so that one cache line has all of it: its wr_id, its bytes, the immediate data or
 * STag, and what is short. A word of that has, from the least significant bit:
 *
 * <pre>{@code
 *  0  flags      8 bits   of CompletionSink
 *  8  status     8 bits   the ordinal
 * 16  opcode     8 bits   the ordinal
 * 32  number    32 bits   of the queue pair
 * }</pre>
 */
@SuppressWarnings("EnumOrdinal") // a column of references would cost a barrier each
final class CompletionRing {
    private static final CompletionWriter WRITER = CompletionWriter.get();

    private static final WcStatus[] STATUSES = WcStatus.values();
    private static final WcOpcode[] OPCODES = WcOpcode.values();

    private static final int ROW_SHIFT = 2;
    private static final int WR_ID = 0;
    private static final int OCTETS = 1;
    private static final int EXTRA = 2;
    private static final int SHORT = 3;

    private static final int STATUS_SHIFT = 8;
    private static final int OPCODE_SHIFT = 16;
    private static final int NUMBER_SHIFT = 32;
    private static final int OCTET = 0xFF;

    private final int capacity;
    private final int mask;
    private final long[] rows;
    // Of what has failed alone.
    private final int[] vendorError;
    // The number of the oldest, below which all were removed.
    private long head;
    private long tail;

    /** Creates an empty ring for {@code capacity} completions, from 1. */
    public CompletionRing(int capacity) {
        int size = Integer.highestOneBit(capacity * 2 - 1);
        this.capacity = capacity;
        mask = size - 1;
        rows = new long[size << ROW_SHIFT];
        vendorError = new int[size];
    }

    public int capacity() {
        return capacity;
    }

    public int size() {
        return (int) (tail - head);
    }

    /** Returns the number below which all were removed. Numbers only grow, by one from completion to completion. */
    public long taken() {
        return head;
    }

    /** Appends a completion and returns its number, {@link CompletionSink#LOST} if there is no room. */
    public long add(
            long id,
            WcStatus itsStatus,
            WcOpcode itsOpcode,
            int number,
            long octets,
            int itsFlags,
            long more,
            int vendor) {
        if (size() == capacity) {
            return CompletionSink.LOST;
        }
        int slot = (int) tail & mask;
        int row = slot << ROW_SHIFT;
        rows[row + WR_ID] = id;
        rows[row + OCTETS] = octets;
        rows[row + EXTRA] = more;
        rows[row + SHORT] = (long) number << NUMBER_SHIFT
                | (long) itsOpcode.ordinal() << OPCODE_SHIFT
                | (long) itsStatus.ordinal() << STATUS_SHIFT
                | (itsFlags & OCTET);
        if (itsStatus != WcStatus.SUCCESS) {
            vendorError[slot] = vendor;
        }
        return tail++;
    }

    /** Appends the completions of {@code run}; returns the number of the last, LOST if there was no room for it. */
    public long add(CompletionRun run, int number) {
        int count = Math.min(run.count(), capacity - size());
        long same = (long) number << NUMBER_SHIFT
                | (long) WcOpcode.RECV.ordinal() << OPCODE_SHIFT
                | (long) WcStatus.SUCCESS.ordinal() << STATUS_SHIFT;
        for (int i = 0; i < count; i++) {
            int row = ((int) tail++ & mask) << ROW_SHIFT;
            rows[row + WR_ID] = run.wrId(i);
            rows[row + OCTETS] = run.octets(i);
            rows[row + EXTRA] = 0;
            rows[row + SHORT] = same | run.flags(i);
        }
        return count == run.count() ? tail - 1 : CompletionSink.LOST;
    }

    /**
     * Copies the oldest, as many as fit, into {@code completions}; returns how many. They stay until {@link #remove}.
     */
    public int copy(WorkCompletions completions) {
        int count = Math.min(size(), completions.capacity());
        for (int i = 0; i < count; i++) {
            fill(WRITER.slot(completions, i), (int) (head + i) & mask);
        }
        return count;
    }

    /** Removes the oldest {@code count}. */
    public void remove(int count) {
        head += count;
    }

    private void fill(WorkCompletion completion, int slot) {
        int row = slot << ROW_SHIFT;
        long word = rows[row + SHORT];
        WcStatus status = STATUSES[(int) (word >>> STATUS_SHIFT) & OCTET];
        WRITER.set(
                completion,
                rows[row + WR_ID],
                status,
                OPCODES[(int) (word >>> OPCODE_SHIFT) & OCTET],
                (int) (word >>> NUMBER_SHIFT),
                rows[row + OCTETS],
                status == WcStatus.SUCCESS ? 0 : vendorError[slot]);
        if (status != WcStatus.SUCCESS) {
            WRITER.terminate(completion);
        }
        if ((word & CompletionSink.HAS_IMMEDIATE) != 0) {
            WRITER.immediate(completion, rows[row + EXTRA]);
        }
        if ((word & CompletionSink.HAS_INVALIDATED_STAG) != 0) {
            WRITER.invalidatedRkey(completion, (int) rows[row + EXTRA]);
        }
    }

    /**
     * Removes the completions of queue pair {@code number}. The others move up: none is taken later than its number
     * says.
     */
    public void purge(int number) {
        long to = tail;
        for (long from = tail - 1; from >= head; from--) {
            int slot = (int) from & mask;
            if ((int) (rows[(slot << ROW_SHIFT) + SHORT] >>> NUMBER_SHIFT) != number) {
                to--;
                copy(slot, this, (int) to & mask);
            }
        }
        head = to;
    }

    /** Moves all completions to {@code other}, which is empty and has room, and counts on there. */
    public void moveTo(CompletionRing other) {
        other.head = head;
        other.tail = tail;
        for (; head != tail; head++) {
            copy((int) head & mask, other, (int) head & other.mask);
        }
    }

    private void copy(int slot, CompletionRing to, int toSlot) {
        int row = slot << ROW_SHIFT;
        int toRow = toSlot << ROW_SHIFT;
        to.rows[toRow + WR_ID] = rows[row + WR_ID];
        to.rows[toRow + OCTETS] = rows[row + OCTETS];
        to.rows[toRow + EXTRA] = rows[row + EXTRA];
        to.rows[toRow + SHORT] = rows[row + SHORT];
        to.vendorError[toSlot] = vendorError[slot];
    }
}
