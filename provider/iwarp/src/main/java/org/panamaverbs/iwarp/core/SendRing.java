package org.panamaverbs.iwarp.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.memory.Region;

/**
 * The send queue: posted work requests as columns of a ring made once. Requests are named by their sequence number,
 * which only grows. Not thread-safe.
 *
 * <p>{@code released <= head <= next <= published <= tail}: known to be complete up to released, completed up to head,
 * given to the transmitter up to next, visible to it up to published, posted up to tail. A place is free once the
 * application has taken the completion of its request or of a later one, as with queues that a device and its driver
 * share ({@code ibv_post_send(3)}, {@code ibv_poll_cq(3)}).
 */
@SuppressWarnings("EnumOrdinal") // columns of octets: a store into a column of references costs a barrier each
final class SendRing {
    /** The completion of a request that is not complete, or was not signaled. */
    static final long NO_COMPLETION = CompletionSink.LOST;

    /** What headers and the like of a request count as, in octets. */
    static final int REQUEST_WEIGHT = 24;

    /** The weight of a request that somebody waits for. */
    static final int HEAVY = 1 << 20;

    private static final long[] NOTHING = {};
    private static final RequestState[] STATES = RequestState.values();
    private static final SendOpcode[] OPERATIONS = SendOpcode.values();
    private static final WcStatus[] STATUSES = WcStatus.values();
    // A bit for each operation of a kind.
    private static final long ANSWERED = bits(SendOpcode::isAnswered);
    private static final long LOCAL = bits(SendOpcode::isLocal);

    // What was posted: a column for each value, a row for each request; written by the post alone.
    private final byte[] operation;
    private final int[] flags;
    private final long[] wrId;
    private final long[] remoteAddress;
    private final int[] rkey;
    // Immediate data, the STag to invalidate, or an atomic's first operand.
    private final long[] immediate;
    private final long[] totalBytes;
    // Of an atomic alone; mask is a bind's rights, too. Empty before the first of these.
    private long[] swap = NOTHING;
    private long[] mask = NOTHING;
    private long[] swapMask = NOTHING;
    // The gather list: sgeCount entries of the maxSge that each row has in the three columns.
    private final byte[] sgeCount;
    private final long[] sgeAddress;
    private final long[] sgeLength;
    private final int[] sgeLkey;
    // What has become of it: see RequestState.
    private final byte[] state;
    private final byte[] status;
    private final int[] vendorError;
    // The number of the request's completion in its queue; NO_COMPLETION if it has none.
    private final long[] completion;
    // Of binds, empty before the first.
    private @Nullable Region[] window = new Region[0];
    private final MemorySegment inline;
    private final int maxSge;

    private final int capacity;
    private final int ringMask;
    private final int maxInlineBytes;
    // The application knows that all up to here are complete.
    private long released;
    // Positions: all before head are retired, all before published may be sent, all before tail are posted. The two
    // differ while a batch is open.
    private long head;
    private long published;
    private long tail;
    // What the requests up to the tail, and up to published, weigh: see weight().
    private long postedWeight;
    private long weight;

    public SendRing(int capacity, int maxSge, int maxInlineBytes, Arena arena) {
        int size = Integer.highestOneBit(capacity * 2 - 1);
        this.capacity = capacity;
        this.maxSge = maxSge;
        this.maxInlineBytes = maxInlineBytes;
        ringMask = size - 1;
        operation = new byte[size];
        state = new byte[size];
        flags = new int[size];
        wrId = new long[size];
        remoteAddress = new long[size];
        rkey = new int[size];
        immediate = new long[size];
        totalBytes = new long[size];
        sgeCount = new byte[size];
        sgeAddress = new long[size * maxSge];
        sgeLength = new long[size * maxSge];
        sgeLkey = new int[size * maxSge];
        status = new byte[size];
        vendorError = new int[size];
        completion = new long[size];
        inline = arena.allocate(Math.max(1, (long) size * maxInlineBytes), 8);
    }

    private static long bits(Predicate<SendOpcode> kind) {
        return Arrays.stream(OPERATIONS)
                .filter(kind)
                .mapToLong(each -> 1L << each.ordinal())
                .sum();
    }

    public int slot(long sequence) {
        return (int) sequence & ringMask;
    }

    /** Returns how many requests it holds at most. */
    public int capacity() {
        return capacity;
    }

    public long head() {
        return head;
    }

    public long published() {
        return published;
    }

    public long tail() {
        return tail;
    }

    /** Returns {@link PostStatus#ACCEPTED} if one more request fits. */
    int room() {
        return tail - released < capacity ? PostStatus.ACCEPTED : PostStatus.QUEUE_FULL;
    }

    /** Gives places back: those up to the last request whose completion has a number below {@code taken}. */
    void release(long taken) {
        for (long sequence = released; sequence != head; sequence++) {
            long number = completion[slot(sequence)];
            if (number >= taken) {
                return;
            }
            if (number != NO_COMPLETION) {
                released = sequence + 1;
            }
        }
    }

    int maxInlineBytes() {
        return maxInlineBytes;
    }

    public long inlineOffset(int slot) {
        return (long) slot * maxInlineBytes;
    }

    /** Fills the slot at the tail with what all requests have; {@link #commit} makes it count. */
    int begin(SendOpcode op, long id, long remote, int key, long immediateOrStag, int sendFlags) {
        int slot = slot(tail);
        operation[slot] = (byte) op.ordinal();
        state[slot] = (byte) RequestState.POSTED.ordinal();
        wrId[slot] = id;
        remoteAddress[slot] = remote;
        rkey[slot] = key;
        immediate[slot] = immediateOrStag;
        flags[slot] = sendFlags;
        sgeCount[slot] = 0;
        totalBytes[slot] = 0;
        completion[slot] = NO_COMPLETION;
        if (window.length > 0) {
            window[slot] = null; // of a bind that was discarded
        }
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

    /**
     * Counts the request at the tail, at {@code slot}, as posted; the transmitter sees it now, or once {@link #publish}
     * is called.
     */
    void commit(int slot, boolean held) {
        postedWeight += ((ANSWERED | LOCAL) >>> operation[slot] & 1) != 0 ? HEAVY : totalBytes[slot] + REQUEST_WEIGHT;
        tail++;
        if (!held) {
            published = tail;
            weight = postedWeight;
        }
    }

    /** Counts a request as posted and complete that never was in a row, where all others are complete. */
    void pass(SendOpcode op, long octets, long number) {
        completion[slot(tail)] = number;
        postedWeight += op.isAnswered() ? HEAVY : octets + REQUEST_WEIGHT;
        weight = postedWeight;
        tail++;
        published = tail;
        head = tail;
    }

    /**
     * Returns the weight of all requests that were ever published: for each the octets of its local memory and
     * {@link #REQUEST_WEIGHT}, or {@link #HEAVY} for those that are done only with a response of the peer, and for
     * those that change rights.
     */
    long weight() {
        return weight;
    }

    /** Returns how many requests are posted and not published. */
    int held() {
        return (int) (tail - published);
    }

    int publish() {
        int count = (int) (tail - published);
        published = tail;
        weight = postedWeight;
        return count;
    }

    void discardHeld() {
        tail = published;
        postedWeight = weight;
    }

    /** The request at {@code slot} is whole in a batch. */
    public void sent(int slot) {
        move(slot, RequestState.Event.SEND);
    }

    /** The request at {@code slot} is done with success. */
    public void done(int slot) {
        move(slot, RequestState.Event.FINISH);
    }

    /** The request at {@code slot} has failed with {@code reason}; it is completed so when the queue is flushed. */
    public void fail(int slot, WcStatus reason, int itsVendorError) {
        move(slot, RequestState.Event.FAIL);
        status[slot] = (byte) reason.ordinal();
        vendorError[slot] = itsVendorError;
    }

    private void move(int slot, RequestState.Event event) {
        RequestState next = STATES[state[slot]].after(event);
        if (next == null) {
            throw new IllegalStateException(operation(slot) + " with wr_id " + wrId[slot] + " cannot " + event
                    + " in state " + STATES[state[slot]]);
        }
        state[slot] = (byte) next.ordinal();
    }

    /** Returns how far the request at {@code slot} is. */
    public RequestState state(int slot) {
        return STATES[state[slot]];
    }

    /** Returns the error that the request at {@code slot} has failed with. */
    WcStatus status(int slot) {
        return STATUSES[status[slot]];
    }

    int vendorError(int slot) {
        return vendorError[slot];
    }

    /** Remembers {@code number} of the completion of the request at {@code slot}. */
    void completed(int slot, long number) {
        completion[slot] = number;
    }

    public SendOpcode operation(int slot) {
        return OPERATIONS[operation[slot]];
    }

    /** Tells whether the request at {@code slot} is done only with a response of the peer. */
    public boolean needsResponse(int slot) {
        return (ANSWERED >>> operation[slot] & 1) != 0;
    }

    /** Tells whether the request at {@code slot} stays on this side. */
    boolean isLocal(int slot) {
        return (LOCAL >>> operation[slot] & 1) != 0;
    }

    /** Returns the {@code SendFlag}s of the request at {@code slot}. */
    public int flags(int slot) {
        return flags[slot];
    }

    public long wrId(int slot) {
        return wrId[slot];
    }

    /** Returns the peer's tagged offset. */
    public long remoteAddress(int slot) {
        return remoteAddress[slot];
    }

    /** Returns the peer's STag; of a bind the window's new one. */
    public int rkey(int slot) {
        return rkey[slot];
    }

    /** Returns the immediate data, the STag to invalidate, the value to add or to compare. */
    public long immediate(int slot) {
        return immediate[slot];
    }

    /** Returns the octets of the local memory together. */
    public long totalBytes(int slot) {
        return totalBytes[slot];
    }

    /** Enters the octets of inline data. */
    void totalBytes(int slot, long octets) {
        totalBytes[slot] = octets;
    }

    private void makeMasks() {
        if (swap.length == 0) {
            mask = new long[ringMask + 1];
            swapMask = new long[ringMask + 1];
            swap = new long[ringMask + 1]; // last: it tells that all are there
        }
    }

    /** Enters what an atomic swaps in, the mask of its comparison or of its fields, and that of the swap. */
    void operands(int slot, long swapValue, long compareOrFieldMask, long itsSwapMask) {
        makeMasks();
        swap[slot] = swapValue;
        mask[slot] = compareOrFieldMask;
        swapMask[slot] = itsSwapMask;
    }

    public long swap(int slot) {
        return swap[slot];
    }

    /** Returns the mask of a comparison or of fields; of a bind the rights. */
    public long mask(int slot) {
        return mask[slot];
    }

    public long swapMask(int slot) {
        return swapMask[slot];
    }

    /** Enters the window of a bind, and the rights that it gives. */
    void bind(int slot, Region itsWindow, int rights) {
        makeMasks();
        if (window.length == 0) {
            window = new Region[ringMask + 1];
        }
        window[slot] = itsWindow;
        mask[slot] = rights;
    }

    public @Nullable Region window(int slot) {
        return window.length == 0 ? null : window[slot];
    }

    public int sgeCount(int slot) {
        return sgeCount[slot];
    }

    /** Returns the index of the first piece of the request at {@code slot}; the others follow. */
    public int firstSge(int slot) {
        return slot * maxSge;
    }

    /** Returns the address of the piece with that index. */
    public long sgeAddress(int index) {
        return sgeAddress[index];
    }

    public long sgeLength(int index) {
        return sgeLength[index];
    }

    public int sgeLkey(int index) {
        return sgeLkey[index];
    }

    /** Returns the memory of all inline data. */
    public MemorySegment inline() {
        return inline;
    }

    /** Moves the head over the request there, at {@code slot}. */
    void retire(int slot) {
        if (window.length > 0) {
            window[slot] = null;
        }
        head++;
    }
}
