package org.panamaverbs.iwarp.shm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The table of a domain as its owner writes it, who never reads it. Not thread-safe.
 *
 * @see PeerTable
 */
final class AccessTable {
    // Null until the first peer wants it.
    private @Nullable MemorySegment file;
    // Of no length as long as nothing is registered that peers may reach.
    private @Nullable TableEntry[] entries = new TableEntry[0];
    private int names = 1;
    private long changes;

    /** Writes what there is into {@code zero}, and all that comes; slabs are told again. */
    void open(MemorySegment zero) {
        zero.set(JAVA_LONG, 0, TableLayout.MAGIC);
        file = zero;
        for (TableEntry entry : entries) {
            if (entry != null && entry.enabled) {
                write(zero, entry);
            }
        }
    }

    /** Makes places, if there are none: before the first entry is to have one. */
    void prepare() {
        if (entries.length == 0) {
            entries = new TableEntry[TableLayout.ENTRIES];
        }
    }

    /** Gives {@code entry} a place, which its STag has under every key; false if there is none. */
    boolean place(TableEntry entry) {
        for (int n = 0; n < TableLayout.REACH; n++) {
            int index = TableLayout.index(entry.stag, n);
            if (entries[index] == null) {
                entries[index] = entry;
                entry.index = index;
                return true;
            }
        }
        return false;
    }

    /** Takes the place from {@code entry}, which is revoked, if it has one. */
    void release(TableEntry entry) {
        if (entry.index != TableEntry.NONE) {
            entries[entry.index] = null;
            entry.index = TableEntry.NONE;
        }
    }

    /** Lets peers in by {@code entry}, which has a place, by a name that none had before. */
    void enable(TableEntry entry) {
        entry.name = (long) names << Integer.SIZE | Integer.toUnsignedLong(entry.stag);
        names = names == -1 ? 1 : names + 1;
        entry.enabled = true;
        MemorySegment open = file;
        if (open != null) {
            write(open, entry);
        }
    }

    private static void write(MemorySegment file, TableEntry entry) {
        long at = TableLayout.entry(entry.index);
        file.set(JAVA_INT, at + TableLayout.RIGHTS, entry.rights);
        file.set(JAVA_INT, at + TableLayout.PLACE, entry.place);
        file.set(JAVA_LONG, at + TableLayout.BASE, entry.base);
        file.set(JAVA_LONG, at + TableLayout.LENGTH, entry.length);
        file.set(JAVA_LONG, at + TableLayout.SLAB, entry.slab);
        file.set(JAVA_LONG, at + TableLayout.OFFSET, entry.offset);
        file.set(JAVA_INT, at + TableLayout.SCOPE, entry.scope);
        TableLayout.publishState(file, at, entry.name);
    }

    /**
     * Lets nobody in by {@code entry} any more, nor by those of windows on it; who is in has claimed it. Can be
     * repeated.
     */
    void revoke(TableEntry entry) {
        disable(entry);
        for (int index = 0; index < entries.length && !entry.window; index++) {
            TableEntry above = entries[index];
            if (above != null && above.beneath == entry) {
                disable(above);
            }
        }
        // The claims are looked at behind it, and what is stored here for others comes behind it.
        VarHandle.fullFence();
    }

    private void disable(TableEntry entry) {
        entry.enabled = false;
        MemorySegment open = file;
        if (open != null && entry.index != TableEntry.NONE) {
            TableLayout.publishState(open, TableLayout.entry(entry.index), 0);
        }
    }

    /** Returns the entry that claims call {@code name}, null if there is none. */
    @Nullable
    TableEntry find(long name) {
        for (int n = 0; n < TableLayout.REACH && entries.length > 0; n++) {
            TableEntry entry = entries[TableLayout.index((int) name, n)];
            if (entry != null && entry.name == name) {
                return entry;
            }
        }
        return null;
    }

    /** Says which slab is at {@code place}, 0 for none. */
    void slab(int place, long slab) {
        MemorySegment open = file;
        if (open != null) {
            TableLayout.publishSlab(open, place, slab);
            TableLayout.publishChanges(open, ++changes);
        }
    }
}
