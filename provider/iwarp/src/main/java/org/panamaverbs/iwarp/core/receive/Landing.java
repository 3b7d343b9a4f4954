package org.panamaverbs.iwarp.core.receive;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.io.IoVector;
import org.panamaverbs.iwarp.wire.mpa.FpduCrc;

/**
 * Where the octets of one read land: in staging, or payload first where it belongs, and what is behind it in staging.
 * Set before each read.
 */
final class Landing {
    // Staging is copied: more of it is taken only of a peer that sends many small messages.
    private static final int FEW_BYTES = 8 * 1024;

    private final IoVector vector = new IoVector(2);
    // Of the read under way or the last one.
    private @Nullable Staging lent;
    private MemorySegment staging = MemorySegment.NULL;
    // The last read left no room in staging: the peer has much to say.
    private boolean filled;
    // Payload lands where it belongs, from there, so much of it; from the aim to the end of the read.
    private boolean direct;
    private int directStart;
    private int directLength;

    /** Aims the next read at staging alone. */
    void aim(Staging ours) {
        direct = false;
        lent = ours;
        staging = ours.memory;
        int room = filled ? ours.view.capacity() : Math.min(FEW_BYTES, ours.view.capacity());
        vector.clear();
        vector.add(ours.view.clear().limit(room), ours.start);
    }

    /**
     * Aims the next read at {@code view} first, whose index 0 lies at {@code viewMemory}, and then at some of
     * {@code ours}.
     */
    void aim(ByteBuffer view, MemorySegment viewMemory, Staging ours) {
        direct = true;
        directStart = view.position();
        directLength = view.remaining();
        vector.clear();
        vector.add(view, viewMemory);
        vector.add(ours.view.clear().limit(Staging.BEHIND_BYTES), ours.start);
    }

    IoVector vector() {
        return vector;
    }

    boolean isDirect() {
        return direct;
    }

    /** Returns the position of the first octet that landed where it belongs. */
    int directStart() {
        return directStart;
    }

    /** Hears of the octets that were read; returns how many of them landed where they belong, the first ones. */
    int landed(long octets) {
        filled = !direct && octets > 0 && octets == vector.buffer(0).limit();
        if (!direct) {
            return 0;
        }
        direct = false;
        vector.forget(0);
        return (int) Math.min(octets, directLength);
    }

    /** Returns the octets in staging. */
    MemorySegment staging() {
        return staging;
    }

    /** Counts what is staged up to {@code at} in {@code crc}. */
    void count(FpduCrc crc, int at) {
        Staging from = lent;
        if (from != null) {
            crc.upTo(from.checked, at);
        }
    }
}
