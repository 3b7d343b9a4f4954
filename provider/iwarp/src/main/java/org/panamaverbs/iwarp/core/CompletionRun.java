package org.panamaverbs.iwarp.core;

/**
 * Receives that have completed with success, one after the other, and are published together. Reused; for one thread.
 */
public final class CompletionRun {
    /** How many it takes. */
    public static final int MOST = 64;

    private final long[] wrId = new long[MOST];
    private final int[] octets = new int[MOST];
    private final boolean[] solicited = new boolean[MOST];
    private int count;
    private boolean anySolicited;

    /** Forgets all of them. */
    void clear() {
        count = 0;
        anySolicited = false;
    }

    /** Adds a receive of {@code bytes} octets; fewer than {@link #MOST} are there. */
    void add(long id, int bytes, boolean asksForEvent) {
        wrId[count] = id;
        octets[count] = bytes;
        solicited[count++] = asksForEvent;
        anySolicited |= asksForEvent;
    }

    /** Returns how many there are. */
    public int count() {
        return count;
    }

    /** Tells whether one of the messages asked for a solicited event. */
    public boolean anySolicited() {
        return anySolicited;
    }

    /** Returns the wr_id of number {@code index}. */
    public long wrId(int index) {
        return wrId[index];
    }

    /** Returns the octets of its message. */
    public int octets(int index) {
        return octets[index];
    }

    /** Returns its flags, as those of {@link CompletionSink#complete}. */
    public int flags(int index) {
        return solicited[index] ? CompletionSink.SOLICITED : 0;
    }
}
