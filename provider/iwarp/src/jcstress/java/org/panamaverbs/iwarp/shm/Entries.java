package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/** An entry of a table, as its owner has it and as a peer has found it; there are more than are looked at at once. */
final class Entries {
    private static final int TABLES = 64;
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final Entries[] ALL = new Entries[TABLES * TableLayout.ENTRIES];
    private static final AccessTable[] OWNERS = new AccessTable[TABLES];
    private static final MemorySegment[] FILES = new MemorySegment[TABLES];

    final AccessTable owner;
    final TableEntry entry = new TableEntry(true);
    final PeerTable peer;
    /** Its number in the table. */
    int index;

    private Entries(int table, int slot) {
        if (OWNERS[table] == null) {
            FILES[table] = Arena.global().allocate(TableLayout.BYTES, Long.BYTES);
            OWNERS[table] = new AccessTable();
            OWNERS[table].open(FILES[table]);
            OWNERS[table].prepare();
        }
        owner = OWNERS[table];
        // Any key below the number of the entry.
        entry.stag = slot << Byte.SIZE | 1;
        owner.place(entry);
        try {
            peer = new PeerTable(FILES[table]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the next one, which lets peers in. */
    static synchronized Entries next() {
        int number = NEXT.getAndIncrement() & ALL.length - 1;
        if (ALL[number] == null) {
            ALL[number] = new Entries(number / TableLayout.ENTRIES, number % TableLayout.ENTRIES);
        }
        Entries next = ALL[number];
        next.owner.enable(next.entry);
        next.index = next.peer.find(next.entry.stag);
        return next;
    }
}
