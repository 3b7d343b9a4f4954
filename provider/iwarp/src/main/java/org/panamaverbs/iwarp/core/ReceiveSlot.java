package org.panamaverbs.iwarp.core;

/** One posted receive, out of its queue: where a message lands. Reused; not thread-safe. */
public final class ReceiveSlot {
    final long[] address;
    final long[] length;
    final int[] lkey;
    long wrId;
    int count;
    long totalBytes;

    /** Makes one for up to {@code maxSge} pieces. */
    public ReceiveSlot(int maxSge) {
        address = new long[Math.max(1, maxSge)];
        length = new long[Math.max(1, maxSge)];
        lkey = new int[Math.max(1, maxSge)];
    }
}
