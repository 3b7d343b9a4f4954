package org.panamaverbs.iwarp.core;

/** Looks into the receives that tests of the engine take. */
public final class Slots {
    private Slots() {}

    /** Returns the id of the receive in {@code slot} if its one piece is what {@code id} was posted with, else -1. */
    public static int id(ReceiveSlot slot) {
        long id = slot.wrId;
        boolean whole = slot.count == 1
                && slot.address[0] == address(id)
                && slot.length[0] == length(id)
                && slot.lkey[0] == lkey(id)
                && slot.totalBytes == length(id);
        return whole ? (int) id : -1;
    }

    /** Returns the address that receive {@code id} is posted with. */
    public static long address(long id) {
        return id * 0x1_0000_0001L;
    }

    /** Returns its length. */
    public static long length(long id) {
        return id * 1_000;
    }

    /** Returns its lkey. */
    public static int lkey(long id) {
        return (int) -id;
    }
}
