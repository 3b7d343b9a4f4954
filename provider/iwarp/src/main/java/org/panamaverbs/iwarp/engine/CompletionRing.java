package org.panamaverbs.iwarp.engine;

import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.iwarp.core.CompletionSink;

/** Completions in order, in arrays made once. Not thread-safe: the completion queue locks. */
final class CompletionRing {
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
    private long head;
    private long tail;

    /** Makes an empty one for {@code capacity} completions, from 1. */
    CompletionRing(int capacity) {
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

    int capacity() {
        return capacity;
    }

    int size() {
        return (int) (tail - head);
    }

    /** Appends one; false if there is no room. */
    boolean add(
            long id,
            WcStatus itsStatus,
            WcOpcode itsOpcode,
            int number,
            long octets,
            int itsFlags,
            long more,
            int vendor) {
        if (size() == capacity) {
            return false;
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
        tail++;
        return true;
    }

    /** Moves as many as fit into {@code completions}; returns how many. */
    int drain(WorkCompletions completions) {
        int count = Math.min(size(), completions.capacity());
        for (int i = 0; i < count; i++) {
            fill(completions.slot(i), (int) head & mask);
            head++;
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

    /** Removes those of queue pair {@code number}. */
    void purge(int number) {
        long to = head;
        for (long from = head; from != tail; from++) {
            int slot = (int) from & mask;
            if (qpNumber[slot] != number) {
                copy(slot, this, (int) to & mask);
                to++;
            }
        }
        tail = to;
    }

    /** Moves all to {@code other}, which has room. */
    void moveTo(CompletionRing other) {
        for (; head != tail; head++) {
            copy((int) head & mask, other, (int) other.tail & other.mask);
            other.tail++;
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
