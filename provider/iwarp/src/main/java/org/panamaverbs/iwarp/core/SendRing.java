package org.panamaverbs.iwarp.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcStatus;

/**
 * The send queue: posted work requests as columns of a ring made once. Requests are named by their sequence number,
 * which only grows. Not thread-safe.
 *
 * <p>{@code head <= next <= published <= tail}: completed up to head, given to the transmitter up to next, visible to
 * it up to published, posted up to tail.
 */
final class SendRing {
    /** Waits to be sent. */
    static final byte POSTED = 0;
    /** Is in a batch, or waits for its response. */
    static final byte SENT = 1;
    /** Is done with success. */
    static final byte DONE = 2;
    /** Is done with the error in {@link #status}. */
    static final byte FAILED = 3;

    final SendOpcode[] operation;
    final byte[] state;
    final int[] flags;
    final long[] wrId;
    final long[] remoteAddress;
    final int[] rkey;
    final long[] immediate;
    final long[] totalBytes;
    final long[] swap;
    final long[] mask;
    final long[] swapMask;
    final int[] sgeCount;
    final long[] sgeAddress;
    final long[] sgeLength;
    final int[] sgeLkey;
    final WcStatus[] status;
    final int[] vendorError;
    final @Nullable Region[] window;
    final MemorySegment inline;
    final int maxSge;

    private final int capacity;
    private final int ringMask;
    private final int maxInlineBytes;
    private long head;
    private long published;
    private long tail;
    private boolean held;

    SendRing(int capacity, int maxSge, int maxInlineBytes, Arena arena) {
        int size = Integer.highestOneBit(capacity * 2 - 1);
        this.capacity = capacity;
        this.maxSge = maxSge;
        this.maxInlineBytes = maxInlineBytes;
        ringMask = size - 1;
        operation = new SendOpcode[size];
        state = new byte[size];
        flags = new int[size];
        wrId = new long[size];
        remoteAddress = new long[size];
        rkey = new int[size];
        immediate = new long[size];
        totalBytes = new long[size];
        swap = new long[size];
        mask = new long[size];
        swapMask = new long[size];
        sgeCount = new int[size];
        sgeAddress = new long[size * maxSge];
        sgeLength = new long[size * maxSge];
        sgeLkey = new int[size * maxSge];
        status = new WcStatus[size];
        vendorError = new int[size];
        window = new Region[size];
        inline = arena.allocate(Math.max(1, (long) size * maxInlineBytes), 8);
    }

    int slot(long sequence) {
        return (int) sequence & ringMask;
    }

    long head() {
        return head;
    }

    long published() {
        return published;
    }

    long tail() {
        return tail;
    }

    /** Returns {@link PostStatus#ACCEPTED} if one more request fits. */
    int room() {
        return tail - head < capacity ? PostStatus.ACCEPTED : PostStatus.QUEUE_FULL;
    }

    int maxInlineBytes() {
        return maxInlineBytes;
    }

    long inlineOffset(int slot) {
        return (long) slot * maxInlineBytes;
    }

    /** Fills the slot at the tail with what all requests have; {@link #commit} makes it count. */
    int begin(SendOpcode op, long id, long remote, int key, long immediateOrStag, int sendFlags) {
        int slot = slot(tail);
        operation[slot] = op;
        state[slot] = POSTED;
        wrId[slot] = id;
        remoteAddress[slot] = remote;
        rkey[slot] = key;
        immediate[slot] = immediateOrStag;
        flags[slot] = sendFlags;
        sgeCount[slot] = 0;
        totalBytes[slot] = 0;
        status[slot] = WcStatus.SUCCESS;
        vendorError[slot] = 0;
        window[slot] = null;
        return slot;
    }

    void addSge(int slot, long address, long length, int lkey) {
        int at = slot * maxSge + sgeCount[slot]++;
        sgeAddress[at] = address;
        sgeLength[at] = length;
        sgeLkey[at] = lkey;
        totalBytes[slot] += length;
    }

    void addAll(int slot, SgList list) {
        for (int i = 0; i < list.count(); i++) {
            addSge(slot, list.address(i), list.length(i), list.lkey(i));
        }
    }

    void commit() {
        tail++;
        if (!held) {
            published = tail;
        }
    }

    void hold() {
        held = true;
    }

    boolean isHeld() {
        return held;
    }

    int publish() {
        int count = (int) (tail - published);
        published = tail;
        held = false;
        return count;
    }

    void discardHeld() {
        tail = published;
        held = false;
    }

    /** Moves the head over the request there. */
    void retire() {
        window[slot(head)] = null;
        head++;
    }
}
