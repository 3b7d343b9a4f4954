package org.panamaverbs.iwarp.shm;

import org.jspecify.annotations.Nullable;

/** An entry of an {@link AccessTable}: what it says, and what claims call it. Guarded by the domain. */
final class TableEntry {
    /** The {@link #index} of an entry that has no place in the table. */
    static final int NONE = -1;

    /** Whether it is a window's, whose memory is that of the entry {@link #beneath}. */
    final boolean window;

    int index = NONE;
    /** What claims call it, or called it last; 0 if nobody was ever let in. */
    long name;

    /** Whether it lets peers in: who is in although it does not is waited for. */
    boolean enabled;

    int stag;
    int rights;
    /** The number of the queue pair whose peer may, 0 for all. */
    int scope;
    /** Tagged offset of the first byte. */
    long base;

    long length;
    /** Place and number of the slab, and where in it the first byte lies. */
    int place;

    long slab;
    long offset;

    /** Of a window: the entry of the registration that it was bound to last. */
    @Nullable
    TableEntry beneath;

    TableEntry(boolean window) {
        this.window = window;
    }
}
