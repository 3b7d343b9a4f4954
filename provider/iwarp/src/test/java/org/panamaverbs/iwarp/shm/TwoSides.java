package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.iovec.IoVector;

/** Two files and the two sides of a stream over them, in one process. */
final class TwoSides {
    final MemorySegment leftFile;
    final MemorySegment rightFile;
    final RingPair left;
    final RingPair right;

    private TwoSides(int leftRing, int rightRing) {
        leftFile = file(leftRing);
        rightFile = file(rightRing);
        left = new RingPair(leftFile, rightFile);
        right = new RingPair(rightFile, leftFile);
    }

    static TwoSides of(int leftRing, int rightRing) {
        return new TwoSides(leftRing, rightRing);
    }

    static TwoSides smallest() {
        return of(RingLayout.MIN_RING_BYTES, RingLayout.MIN_RING_BYTES);
    }

    /** Returns a formatted file. */
    static MemorySegment file(int ringBytes) {
        MemorySegment file = Arena.ofAuto().allocate(RingLayout.fileBytes(ringBytes), RingLayout.HEADER_BYTES);
        RingLayout.format(file, ringBytes);
        return file;
    }

    /** Returns {@code count} bytes of a stream from {@code offset} on. */
    static ByteBuffer pattern(long offset, int count) {
        ByteBuffer octets = ByteBuffer.allocateDirect(count);
        for (int i = 0; i < count; i++) {
            octets.put(octet(offset + i));
        }
        return octets.flip();
    }

    /** Returns byte {@code offset} of the pattern. */
    static byte octet(long offset) {
        return (byte) ((offset * 0x9E37_79B9_7F4A_7C15L) >>> 56);
    }

    /** Writes as much of the pattern's bytes as there is room for; returns how many. */
    static int write(RingPair side, long offset, int count) throws IOException {
        return (int) side.write(IoVector.of(pattern(offset, count)));
    }

    /** Reads at most {@code count} bytes; null at the end of the stream. */
    static byte @Nullable [] read(RingPair side, int count) throws IOException {
        ByteBuffer into = ByteBuffer.allocateDirect(count);
        long octets = side.read(IoVector.of(into));
        if (octets < 0) {
            return null;
        }
        byte[] found = new byte[(int) octets];
        into.flip().get(found);
        return found;
    }

    /** Tells whether {@code octets} are those of the pattern from {@code offset} on. */
    static boolean isPattern(byte[] octets, long offset) {
        for (int i = 0; i < octets.length; i++) {
            if (octets[i] != octet(offset + i)) {
                return false;
            }
        }
        return true;
    }
}
