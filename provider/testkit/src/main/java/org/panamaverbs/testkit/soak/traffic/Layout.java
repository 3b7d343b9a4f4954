package org.panamaverbs.testkit.soak.traffic;

/**
 * How the buffer of one end of a line is divided: the credit cell, a cell for atomics and a target for Writes for each
 * of the peer's lanes, the memory of this side's own lanes, and the receives.
 *
 * @param laneBytes bytes of a lane
 * @param receives how many receives lie in the buffer
 * @param receiveBytes bytes of each
 */
public record Layout(int laneBytes, int receives, int receiveBytes) {
    /** Operations with data that may be outstanding at once. */
    static final int LANES = 8;

    /** Where the peer writes how many of its messages were taken, a byte: one byte cannot be torn. */
    static final int CREDIT = 0;

    /** The most that can be told apart by a byte, with room to spare. */
    static final int MAX_RECEIVES = 100;

    private static final int CELLS = 64;
    private static final int DATA = CELLS + LANES * Long.BYTES;
    static final int MAX_LANE_BYTES = 1 << 20;
    static final int MAX_RECEIVE_BYTES = 1 << 14;

    /** Returns where the cell for atomics of {@code lane} is. */
    static long cell(int lane) {
        return CELLS + (long) lane * Long.BYTES;
    }

    /** Returns where the peer's lane {@code lane} writes. */
    long target(int lane) {
        return DATA + (long) lane * laneBytes;
    }

    /** Returns where this side's lane {@code lane} is. */
    long lane(int lane) {
        return target(LANES + lane);
    }

    /** Returns where receive {@code sequence} is. */
    public long receive(long sequence) {
        return target(2 * LANES) + sequence % Math.max(receives, 1) * receiveBytes;
    }

    /** Returns the bytes of it all. */
    public long bytes() {
        return target(2 * LANES) + (long) receives * receiveBytes;
    }
}
