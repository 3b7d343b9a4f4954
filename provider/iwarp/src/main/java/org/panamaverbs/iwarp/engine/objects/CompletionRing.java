package org.panamaverbs.iwarp.engine.objects;

import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.iwarp.core.work.CompletionSink;

/** Completions in order, in arrays made once. Not thread-safe: the completion queue locks. */
public final class CompletionRing {
    private final int capacity;
    private final int mask;
    private final long[] wrId;
    private final long[] byteCount;
    private final long[] extra;
    private final int[] qpNumber;
    private final int[] vendorError;
    private final WcStatus[] status;
    private final WcOpcode[] opcode;
    private final byte[] flags;
    /** The number of the oldest, below which all were removed; who takes some out adds to it, by a store. */
    public long head;

    private long tail;

    /** Creates an empty ring for {@code capacity} completions, from 1. */
    public CompletionRing(int capacity) {
        int size = Integer.highestOneBit(capacity * 2 - 1);
        this.capacity = capacity;
        mask = size - 1;
        wrId = new long[size];
        byteCount = new long[size];
        extra = new long[size];
        qpNumber = new int[size];
        vendorError = new int[size];
        status = new WcStatus[size];
        opcode = new WcOpcode[size];
        flags = new byte[size];
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
        wrId[slot] = id;
        status[slot] = itsStatus;
        opcode[slot] = itsOpcode;
        qpNumber[slot] = number;
        byteCount[slot] = octets;
        flags[slot] = (byte) itsFlags;
        extra[slot] = more;
        vendorError[slot] = vendor;
        return tail++;
    }

    /** Copies the oldest, as many as fit, into {@code completions}; returns how many. They stay until {@link #head}. */
    public int copy(WorkCompletions completions) {
        int count = Math.min(size(), completions.capacity());
        for (int i = 0; i < count; i++) {
            fill(completions.slot(i), (int) (head + i) & mask);
        }
        return count;
    }

    private void fill(WorkCompletion completion, int slot) {
        completion.set(wrId[slot], status[slot], opcode[slot], qpNumber[slot], byteCount[slot], vendorError[slot]);
        if ((flags[slot] & CompletionSink.HAS_IMMEDIATE) != 0) {
            completion.setImmediate(extra[slot]);
        }
        if ((flags[slot] & CompletionSink.HAS_INVALIDATED_STAG) != 0) {
            completion.setInvalidatedStag((int) extra[slot]);
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
            if (qpNumber[slot] != number) {
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
        to.wrId[toSlot] = wrId[slot];
        to.byteCount[toSlot] = byteCount[slot];
        to.extra[toSlot] = extra[slot];
        to.qpNumber[toSlot] = qpNumber[slot];
        to.vendorError[toSlot] = vendorError[slot];
        to.status[toSlot] = status[slot];
        to.opcode[toSlot] = opcode[slot];
        to.flags[toSlot] = flags[slot];
    }
}
