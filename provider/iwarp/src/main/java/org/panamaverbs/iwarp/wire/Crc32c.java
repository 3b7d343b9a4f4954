package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The CRC of an FPDU (RFC 5044 §4.4): CRC32C, register preset to ones and complemented at the end. It covers everything
 * from ULPDU_Length to the last pad octet, markers inside included, and a marker in front of ULPDU_Length too.
 *
 * <p>The value is stored least significant octet first, unlike every other field. Reusable, allocates nothing after the
 * first segment, confined to one thread at a time.
 */
public final class Crc32c {
    // Large enough to amortise the intrinsic's set-up, small enough to stay in the first-level cache.
    private static final int SCRATCH_BYTES = 8192;

    private final CRC32C crc = new CRC32C();
    // Made by the first segment: the CRCs of streams see buffers alone.
    private byte @Nullable [] scratch;

    /** Begins a new FPDU. */
    public void reset() {
        crc.reset();
    }

    /**
     * Adds {@code length} octets of {@code segment}. For headers, and payload that has no buffer view; copies in
     * pieces.
     */
    public void update(MemorySegment segment, long offset, long length) {
        byte[] copy = scratch;
        if (copy == null) {
            copy = new byte[SCRATCH_BYTES];
            scratch = copy;
        }
        long position = offset;
        long remaining = length;
        while (remaining > 0) {
            int piece = (int) Math.min(remaining, SCRATCH_BYTES);
            MemorySegment.copy(segment, Wire.OCTET, position, copy, 0, piece);
            crc.update(copy, 0, piece);
            position += piece;
            remaining -= piece;
        }
    }

    /**
     * Adds {@code length} octets of a buffer in place: the way for payload, when the owner of the memory keeps a direct
     * buffer over it. Changes the buffer's position and limit, so a buffer must not be shared between threads.
     *
     * @param position index of the first octet, from the buffer's start
     */
    public void update(ByteBuffer buffer, int position, int length) {
        buffer.limit(position + length).position(position);
        crc.update(buffer);
    }

    /** Adds {@code count} zero octets. */
    public void updateZeros(int count) {
        for (int i = 0; i < count; i++) {
            crc.update(0);
        }
    }

    /** The register, complemented: the number whose octets go on the wire lowest first. */
    public int value() {
        return (int) crc.getValue();
    }

    /** The four wire octets read as a big-endian number, as protocol analysers print it. */
    public int wireValue() {
        return Integer.reverseBytes(value());
    }

    /** Writes the CRC field. */
    public void emit(MemorySegment segment, long offset) {
        segment.set(Wire.CRC, offset, value());
    }

    /** True when the CRC field at {@code offset} holds the value computed so far. */
    public boolean matches(MemorySegment segment, long offset) {
        return segment.get(Wire.CRC, offset) == value();
    }
}
