package org.panamaverbs.examples.lock;

/** Offsets of the server's three cells, 8 bytes each. */
final class Cells {
    static final int COUNTER = 0;

    /** Who has the lock; nobody if it is 0. */
    static final int OWNER = 8;

    /** What only the owner of the lock may change. */
    static final int GUARDED = 16;

    static final int BYTES = 24;

    private Cells() {}
}
