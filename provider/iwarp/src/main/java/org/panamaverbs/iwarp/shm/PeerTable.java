package org.panamaverbs.iwarp.shm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The table of the peer's domain as this side finds entries in it: each word of one is read once, and whoever uses it
 * judges what it says. Not thread-safe.
 *
 * @see AccessTable
 */
final class PeerTable {
    /** What {@link #find} answers if there is none. */
    static final int NONE = -1;

    private final MemorySegment file;
    // Of the entry that was found last.
    private long name;
    private int rights;
    private int place;
    private long base;
    private long length;
    private long slab;
    private long offset;
    private int scope;

    /**
     * Creates the table in {@code file}, which has the bytes of one.
     *
     * @throws IOException if it is none
     */
    PeerTable(MemorySegment file) throws IOException {
        long magic = file.get(JAVA_LONG, 0);
        if (magic != TableLayout.MAGIC) {
            throw new IOException(
                    String.format("the peer's table begins with %016x, expected %016x", magic, TableLayout.MAGIC));
        }
        this.file = file;
    }

    /** Returns how often the slabs have changed. */
    long changes() {
        return TableLayout.changesAcquire(file);
    }

    /** Returns the number of the slab at {@code place}, 0 for none. */
    long slabAt(int place) {
        return TableLayout.slabAcquire(file, place);
    }

    /**
     * Returns the number of the entry of {@code stag}, {@link #NONE} if there is none. Whoever uses what it says asks
     * {@link #isStill} in the end.
     */
    int find(int stag) {
        for (int n = 0; n < TableLayout.REACH; n++) {
            int index = TableLayout.index(stag, n);
            long entry = TableLayout.entry(index);
            long state = TableLayout.stateAcquire(file, entry);
            if ((int) state == stag && state != 0) {
                name = state;
                rights = file.get(JAVA_INT, entry + TableLayout.RIGHTS);
                place = file.get(JAVA_INT, entry + TableLayout.PLACE) & TableLayout.SLABS - 1;
                base = file.get(JAVA_LONG, entry + TableLayout.BASE);
                length = file.get(JAVA_LONG, entry + TableLayout.LENGTH);
                slab = file.get(JAVA_LONG, entry + TableLayout.SLAB);
                offset = file.get(JAVA_LONG, entry + TableLayout.OFFSET);
                scope = file.get(JAVA_INT, entry + TableLayout.SCOPE);
                return index;
            }
        }
        return NONE;
    }

    /**
     * Tells whether the entry {@code index} is still the one that was found last; behind a fence, so that what was read
     * of it belongs together if so.
     */
    boolean isStill(int index) {
        return TableLayout.stateAcquire(file, TableLayout.entry(index)) == name;
    }

    /** Tells whether it is for the peer of queue pair {@code number}, which is not 0. */
    boolean isFor(int number) {
        return scope == 0 || scope == number;
    }

    long name() {
        return name;
    }

    int rights() {
        return rights;
    }

    /** Returns the place of the slab, one of {@link TableLayout#SLABS}. */
    int place() {
        return place;
    }

    long base() {
        return base;
    }

    long length() {
        return length;
    }

    long slab() {
        return slab;
    }

    long offset() {
        return offset;
    }
}
