package org.panamaverbs.ibverbs.post;

/**
 * Which address handles the datagrams name that wait in a batch, by slot. None may be destroyed before its datagrams
 * are done, and those have no number before they are handed over. Used by the batch's thread.
 */
final class WaitingDatagrams {
    private static final long NOT_YET = Long.MAX_VALUE;

    private final NativeAddressHandle.Use[] uses;

    /** Has room for {@code slots} datagrams. */
    WaitingDatagrams(int slots) {
        uses = new NativeAddressHandle.Use[slots];
    }

    /** Notes that the datagram in {@code slot} waits; the caller holds the gate of the handle that it names. */
    void add(int slot, NativeAddressHandle.Use use) {
        uses[slot] = use;
        use.last = NOT_YET;
    }

    /** Gives the datagrams from {@code first} to {@code end} their numbers, behind {@code posted} others. */
    void number(int first, int end, long posted) {
        for (int slot = first; slot < end; slot++) {
            uses[slot].last = posted + 1 + (slot - first);
        }
    }

    /** Notes that those from {@code first} to {@code end} wait on. */
    void keep(int first, int end) {
        for (int slot = first; slot < end; slot++) {
            uses[slot].last = NOT_YET;
        }
    }

    /** Notes that those from {@code first} to {@code end} are not posted, where {@code posted} others were. */
    void discard(int first, int end, long posted) {
        for (int slot = first; slot < end; slot++) {
            uses[slot].last = posted;
        }
    }
}
