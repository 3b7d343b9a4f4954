package org.panamaverbs.iwarp.core.work;

import org.panamaverbs.iwarp.wire.AtomicOpcode;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.ReadRequestView;

/**
 * Read and Atomic Requests of the peer that wait for their response, oldest first: at most IRD (RFC 5040 §6.1).
 * Responses leave in the order of the requests.
 */
public final class InboundRequests {
    // A column for each field of a request's header, a row for each request.
    private final int[] msn;
    private final boolean[] atomic;
    // Of a Read and an atomic: from where.
    private final int[] sourceStag;
    private final long[] sourceTo;
    // Of a Read alone.
    private final int[] sinkStag;
    private final long[] sinkTo;
    private final long[] size;
    // Of an atomic alone.
    private final int[] requestId;
    private final int[] atomicOperation;
    private final long[] data;
    private final long[] mask;
    private final long[] compare;
    private final long[] compareMask;
    // The octet of the stream behind the response, once that is built.
    private final long[] end;
    private final int ringMask;
    // IRD as agreed: so many may be there at once.
    private int limit;
    // Rows: from head to tail a response is owed; from written to head it is built, and has not left as a whole.
    private long head;
    private long tail;
    private long written;

    public InboundRequests(int maxDepth) {
        int ring = Integer.highestOneBit(Math.max(1, maxDepth) * 2 - 1);
        ringMask = ring - 1;
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
    }

    public void limit(int ird) {
        limit = Math.min(ird, msn.length);
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
