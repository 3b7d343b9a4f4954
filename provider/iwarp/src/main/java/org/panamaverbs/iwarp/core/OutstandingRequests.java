package org.panamaverbs.iwarp.core;

/**
 * Reads and Atomics that were sent and wait for their responses, oldest first: at most ORD (RFC 5040 §6.1). Responses
 * come in the order of the requests.
 */
final class OutstandingRequests {
    /** The sequence number of the provider's own ready-to-receive Read. */
    public static final long OWN = -1;

    // What ORD is limited to.
    private static final int MOST = 256;

    // A row for each request; made by limit(), which says how many.
    private long[] sequence = {};
    private int[] msn = {};
    private boolean[] atomic = {};
    private int mask;
    private long head;
    private long tail;
    // ORD as agreed: so many may be under way at once.
    private int limit;
    private long received;
    private long progress;

    /** Makes room for {@code ord} requests, from 0, of which 256 at most, before the first one is sent. */
    public void limit(int ord) {
        int most = Math.min(ord, MOST);
        int size = Integer.highestOneBit(Math.max(1, most) * 2 - 1);
        sequence = new long[size];
        msn = new int[size];
        atomic = new boolean[size];
        mask = size - 1;
        // Last: without memory for all of them none is sent.
        limit = most;
    }

    public int limit() {
        return limit;
    }

    /** Returns how many wait for their responses. */
    public int count() {
        return (int) (tail - head);
    }

    public boolean isFull() {
        return tail - head >= limit;
    }

    public boolean isEmpty() {
        return head == tail;
    }

    public void add(long workRequest, int requestMsn, boolean isAtomic) {
        int slot = (int) tail++ & mask;
        sequence[slot] = workRequest;
        msn[slot] = requestMsn;
        atomic[slot] = isAtomic;
    }

    public long oldest() {
        return sequence[(int) head & mask];
    }

    public boolean oldestIsAtomic() {
        return atomic[(int) head & mask];
    }

    /** Returns how many octets of the oldest Read's response are here. */
    public long received() {
        return received;
    }

    public void receive(long octets) {
        received += octets;
        progress += octets;
    }

    /** Returns a number that grows with each octet and each end of an answer. */
    public long progress() {
        return progress;
    }

    public void removeOldest() {
        head++;
        received = 0;
        progress++;
    }

    /** Returns the work request whose request carried {@code requestMsn}, {@link #OWN} if there is none. */
    long find(int requestMsn) {
        for (long at = head; at != tail; at++) {
            if (msn[(int) at & mask] == requestMsn) {
                return sequence[(int) at & mask];
            }
        }
        return OWN;
    }

    public void clear() {
        head = tail;
        received = 0;
    }
}
