package org.panamaverbs.iwarp.core.work;

/**
 * Reads and Atomics that were sent and wait for their responses, oldest first: at most ORD (RFC 5040 §6.1). Responses
 * come in the order of the requests.
 */
public final class OutstandingRequests {
    /** The sequence number of the provider's own ready-to-receive Read. */
    public static final long OWN = -1;

    private final long[] sequence;
    private final int[] msn;
    private final boolean[] atomic;
    private int mask;
    private long head;
    private long tail;
    private int limit;
    private long received;
    private long progress;

    public OutstandingRequests(int maxDepth) {
        int size = Integer.highestOneBit(Math.max(1, maxDepth) * 2 - 1);
        sequence = new long[size];
        msn = new int[size];
        atomic = new boolean[size];
        mask = size - 1;
    }

    public void limit(int ord) {
        limit = Math.min(ord, sequence.length);
    }

    public int limit() {
        return limit;
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
