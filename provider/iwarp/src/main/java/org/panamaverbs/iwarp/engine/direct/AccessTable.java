package org.panamaverbs.iwarp.engine.direct;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The table of a domain as its owner writes it, who never reads it. Not thread-safe.
 *
 * @see PeerTable
 */
final class AccessTable {
    /** What {@link #free} answers if there is none. */
    static final int NONE = -1;

    private final MemorySegment file;
    private final boolean[] used = new boolean[TableLayout.ENTRIES];
    private int names = 1;
    private long changes;

    /** Creates an empty table in {@code file}, which is zero. */
    AccessTable(MemorySegment file) {
        this.file = file;
        file.set(JAVA_LONG, 0, TableLayout.MAGIC);
    }

    /** Returns the number of a free entry for {@code stag}, {@link #NONE} if there is none. */
    int free(int stag) {
        for (int n = 0; n < TableLayout.REACH; n++) {
            int index = TableLayout.index(stag, n);
            if (!used[index]) {
                return index;
            }
        }
        return NONE;
    }

    /**
     * Returns what claims call the entry that is enabled next, for {@code stag}: never 0, nor what another was called.
     */
    long nextName(int stag) {
        return (long) names << Integer.SIZE | Integer.toUnsignedLong(stag);
    }

    /**
     * Lets peers in by the entry {@code index}, which is free: with {@code rights} at {@code length} octets from
     * {@code offset} of a slab, which have the tagged offset {@code base}.
     */
    void enable(int index, int stag, int rights, long base, long length, int place, long slab, long offset) {
        used[index] = true;
        long entry = TableLayout.entry(index);
        file.set(JAVA_INT, entry + TableLayout.RIGHTS, rights);
        file.set(JAVA_INT, entry + TableLayout.PLACE, place);
        file.set(JAVA_LONG, entry + TableLayout.BASE, base);
        file.set(JAVA_LONG, entry + TableLayout.LENGTH, length);
        file.set(JAVA_LONG, entry + TableLayout.SLAB, slab);
        file.set(JAVA_LONG, entry + TableLayout.OFFSET, offset);
        TableLayout.publishState(file, entry, nextName(stag));
        names = names == -1 ? 1 : names + 1;
    }

    /** Lets nobody in by the entry {@code index} any more; who is in has claimed it. Can be repeated. */
    void revoke(int index) {
        TableLayout.publishState(file, TableLayout.entry(index), 0);
        // The claims are looked at behind it, and what is stored here for another comes behind it.
        VarHandle.fullFence();
    }

    /** Has the entry {@code index}, which was revoked, be free for another. */
    void release(int index) {
        used[index] = false;
    }

    /** Says which slab is at {@code place}, 0 for none. */
    void slab(int place, long slab) {
        TableLayout.publishSlab(file, place, slab);
        TableLayout.publishChanges(file, ++changes);
    }
}
