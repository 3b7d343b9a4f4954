package org.panamaverbs.iwarp.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.panamaverbs.memory.access.PlainMemory;

/**
 * The file in which a domain says what of its memory peers may reach; it alone writes it. Numbers are in the byte order
 * of the machine.
 *
 * <pre>{@code
 * offset  word                  meaning
 *      0  magic      32 bits    the octets "PVac"
 *      4  version    32 bits    2
 *    256  changes    64 bits    how often the slabs have changed
 *   1024  slabs      256 times 64 bits, by place: the number of the slab there, 0 for none; none has the same twice
 *   4096  entries    1024 times 64 octets
 *         +0  state  64 bits    0, or the STag below a number that grows with each entry; stored last
 *         +8  rights 32 bits
 *        +12  place  32 bits    that of the slab
 *        +16  base   64 bits    tagged offset of the first octet
 *        +24  length 64 bits    octets
 *        +32  slab   64 bits    the number of the slab
 *        +40  offset 64 bits    of the first octet in the slab
 *        +48  scope  32 bits    the number of the queue pair whose peer may, 0 for all
 * }</pre>
 *
 * <p>The entry of an STag is one of {@value #REACH}, from that of its index on: so a look-up has an end.
 */
final class TableLayout {
    static final int SLABS = 256;
    static final int ENTRIES = 1024;
    static final int REACH = 8;

    private static final int CHANGES_OFFSET = 256;
    private static final int SLABS_OFFSET = 1024;
    private static final int ENTRIES_OFFSET = 4096;
    private static final int ENTRY_SHIFT = 6;
    private static final int KEY_BITS = 8;

    /** Bytes of the file. */
    static final long BYTES = ENTRIES_OFFSET + ((long) ENTRIES << ENTRY_SHIFT);

    /** The bytes "PVac" where the least significant byte comes first, and the version. */
    static final long MAGIC = 2L << Integer.SIZE | 0x63615650L;

    static final int STATE = 0;
    static final int RIGHTS = 8;
    static final int PLACE = 12;
    static final int BASE = 16;
    static final int LENGTH = 24;
    static final int SLAB = 32;
    static final int OFFSET = 40;
    static final int SCOPE = 48;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private TableLayout() {}

    // By which a side asks the other: the place of a slab in the low byte, or this bit for the table.
    private static final long WANT_TABLE = 1L << 62;
    private static final int WANT_AGAIN_SHIFT = 54;

    /** Returns what asks for the slab with {@code number} at {@code place}, after {@code losses} of such. */
    static long want(long number, int place, int losses) {
        return (number * SLABS + place ^ (long) losses << WANT_AGAIN_SHIFT) & ~WANT_TABLE;
    }

    /** Returns what asks for the table anew, after {@code losses} of such. */
    static long wantTable(int losses) {
        return WANT_TABLE | losses;
    }

    static boolean wantsTable(long wanted) {
        return (wanted & WANT_TABLE) != 0;
    }

    /** Returns the number of an entry where that of {@code stag} may be, the {@code n}th from 0. */
    static int index(int stag, int n) {
        return (stag >>> KEY_BITS) + n & ENTRIES - 1;
    }

    /** Returns where the entry with that number begins. */
    static long entry(int index) {
        return ENTRIES_OFFSET + ((long) index << ENTRY_SHIFT);
    }

    static long changesAcquire(MemorySegment file) {
        return (long) LONG.getAcquire(PlainMemory.known(file), (long) CHANGES_OFFSET);
    }

    static void publishChanges(MemorySegment file, long changes) {
        LONG.setRelease(PlainMemory.known(file), (long) CHANGES_OFFSET, changes);
    }

    static long slabAcquire(MemorySegment file, int place) {
        return (long) LONG.getAcquire(PlainMemory.known(file), SLABS_OFFSET + (long) place * Long.BYTES);
    }

    static void publishSlab(MemorySegment file, int place, long slab) {
        LONG.setRelease(PlainMemory.known(file), SLABS_OFFSET + (long) place * Long.BYTES, slab);
    }

    static long stateAcquire(MemorySegment file, long entry) {
        return (long) LONG.getAcquire(PlainMemory.known(file), entry + STATE);
    }

    static void publishState(MemorySegment file, long entry, long state) {
        LONG.setRelease(PlainMemory.known(file), entry + STATE, state);
    }
}
