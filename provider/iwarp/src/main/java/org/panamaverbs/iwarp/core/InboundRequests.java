package org.panamaverbs.iwarp.core;

import org.panamaverbs.iwarp.wire.AtomicOpcode;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.ReadRequestView;

/**
 * Read and Atomic Requests of the peer that wait for their response, oldest first: at most IRD (RFC 5040 §6.1).
 * Responses leave in the order of the requests.
 */
final class InboundRequests {
    // What IRD is limited to.
    private static final int MOST = 256;
    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};
    private static final boolean[] NO_BOOLEANS = {};

    // A column for each field of a request's header, a row for each request; made by limit(), which says how many.
    private int[] msn = NO_INTS;
    private boolean[] atomic = NO_BOOLEANS;
    // Of a Read and an atomic: from where.
    private int[] sourceStag = NO_INTS;
    private long[] sourceTo = NO_LONGS;
    // Of a Read alone.
    private int[] sinkStag = NO_INTS;
    private long[] sinkTo = NO_LONGS;
    private long[] size = NO_LONGS;
    // Of an atomic alone.
    private int[] requestId = NO_INTS;
    private int[] atomicOperation = NO_INTS;
    private long[] data = NO_LONGS;
    private long[] mask = NO_LONGS;
    private long[] compare = NO_LONGS;
    private long[] compareMask = NO_LONGS;
    // The octet of the stream behind the response, once that is built.
    private long[] end = NO_LONGS;
    private int ringMask;
    // IRD as agreed: so many may be there at once.
    private int limit;
    // Rows: from head to tail a response is owed; from written to head it is built, and has not left as a whole.
    private long head;
    private long tail;
    private long written;

    /** Makes room for {@code ird} requests, from 1, of which 256 at most, before the first one comes. */
    public void limit(int ird) {
        int most = Math.min(ird, MOST);
        int ring = Integer.highestOneBit(most * 2 - 1);
        msn = new int[ring];
        atomic = new boolean[ring];
        sinkStag = new int[ring];
        sinkTo = new long[ring];
        size = new long[ring];
        sourceStag = new int[ring];
        sourceTo = new long[ring];
        requestId = new int[ring];
        atomicOperation = new int[ring];
        data = new long[ring];
        mask = new long[ring];
        compare = new long[ring];
        compareMask = new long[ring];
        end = new long[ring];
        ringMask = ring - 1;
        // Last: without memory for all of them none is taken.
        limit = most;
    }

    public boolean isFull() {
        return tail - written >= limit;
    }

    public boolean isEmpty() {
        return head == tail;
    }

    public void addRead(int requestMsn, ReadRequestView view) {
        int slot = (int) tail++ & ringMask;
        msn[slot] = requestMsn;
        atomic[slot] = false;
        sinkStag[slot] = view.sinkStag();
        sinkTo[slot] = view.sinkTo();
        size[slot] = view.size();
        sourceStag[slot] = view.sourceStag();
        sourceTo[slot] = view.sourceTo();
    }

    public void addAtomic(int requestMsn, AtomicRequestView view) {
        int slot = (int) tail++ & ringMask;
        msn[slot] = requestMsn;
        atomic[slot] = true;
        requestId[slot] = view.requestId();
        sourceStag[slot] = view.remoteStag();
        sourceTo[slot] = view.remoteTo();
        data[slot] = view.data();
        // draft-ietf-storm-rdmap-ext-01 §5.1.2: a Swap stores its data whatever is there, and ignores the mask.
        boolean draftSwap = view.operationCode() == AtomicOpcode.DRAFT_SWAP.code();
        atomicOperation[slot] = draftSwap ? AtomicOpcode.COMPARE_SWAP.code() : view.operationCode();
        mask[slot] = draftSwap ? -1L : view.mask();
        compare[slot] = view.compare();
        compareMask[slot] = draftSwap ? 0 : view.compareMask();
    }

    private int oldest() {
        return (int) head & ringMask;
    }

    int msn() {
        return msn[oldest()];
    }

    public boolean isAtomic() {
        return atomic[oldest()];
    }

    public int sinkStag() {
        return sinkStag[oldest()];
    }

    public long sinkTo() {
        return sinkTo[oldest()];
    }

    public long size() {
        return size[oldest()];
    }

    public int sourceStag() {
        return sourceStag[oldest()];
    }

    public long sourceTo() {
        return sourceTo[oldest()];
    }

    public int requestId() {
        return requestId[oldest()];
    }

    public int atomicOperation() {
        return atomicOperation[oldest()];
    }

    public long data() {
        return data[oldest()];
    }

    public long mask() {
        return mask[oldest()];
    }

    public long compare() {
        return compare[oldest()];
    }

    public long compareMask() {
        return compareMask[oldest()];
    }

    /** The response to the oldest is built and ends at {@code position} of the stream. */
    public void answered(long position) {
        end[(int) head++ & ringMask] = position;
    }

    /**
     * The octets of the stream up to {@code position} are written: requests answered by them are not outstanding any
     * more.
     */
    public void written(long position) {
        while (written != head && end[(int) written & ringMask] - position <= 0) {
            written++;
        }
    }

    public void clear() {
        head = tail;
        written = tail;
    }
}
