package org.panamaverbs.iwarp.core;

/** One posted receive, out of its queue: where a message lands. Reused; not thread-safe. */
public final class ReceiveSlot {
    public final long[] address;
    public final long[] length;
    public final int[] lkey;
    public long wrId;
    public int count;
    public long totalBytes;

    /** Makes a slot for up to {@code maxSge} pieces. */
    public ReceiveSlot(int maxSge) {
        address = new long[Math.max(1, maxSge)];
        length = new long[Math.max(1, maxSge)];
        lkey = new int[Math.max(1, maxSge)];
    }
}
