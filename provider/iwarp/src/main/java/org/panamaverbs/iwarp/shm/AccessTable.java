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
    private final MemorySegment file;
    private final @Nullable TableEntry[] entries = new TableEntry[TableLayout.ENTRIES];
    private int names = 1;
    private long changes;

    /** Creates an empty table in {@code file}, which is zero. */
    AccessTable(MemorySegment file) {
        this.file = file;
        file.set(JAVA_LONG, 0, TableLayout.MAGIC);
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
        long at = TableLayout.entry(entry.index);
        file.set(JAVA_INT, at + TableLayout.RIGHTS, entry.rights);
        file.set(JAVA_INT, at + TableLayout.PLACE, entry.place);
        file.set(JAVA_LONG, at + TableLayout.BASE, entry.base);
        file.set(JAVA_LONG, at + TableLayout.LENGTH, entry.length);
        file.set(JAVA_LONG, at + TableLayout.SLAB, entry.slab);
        file.set(JAVA_LONG, at + TableLayout.OFFSET, entry.offset);
        file.set(JAVA_INT, at + TableLayout.SCOPE, entry.scope);
        entry.name = (long) names << Integer.SIZE | Integer.toUnsignedLong(entry.stag);
        names = names == -1 ? 1 : names + 1;
        entry.enabled = true;
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
        if (entry.index != TableEntry.NONE) {
            TableLayout.publishState(file, TableLayout.entry(entry.index), 0);
        }
    }

    /** Returns the entry that claims call {@code name}, null if there is none. */
    @Nullable
    TableEntry find(long name) {
        for (int n = 0; n < TableLayout.REACH; n++) {
            TableEntry entry = entries[TableLayout.index((int) name, n)];
            if (entry != null && entry.name == name) {
                return entry;
            }
        }
        return null;
    }

    /** Says which slab is at {@code place}, 0 for none. */
    void slab(int place, long slab) {
        TableLayout.publishSlab(file, place, slab);
        TableLayout.publishChanges(file, ++changes);
    }
}
