package org.panamaverbs.bench.iwarp;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The floor of headers: as many bytes by as few accesses as there can be, in network byte order. */
final class RawOctets {
    private static final VarHandle LONG =
            JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
    private static final VarHandle INT =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
    private static final VarHandle SHORT =
            JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN).varHandle();

    private RawOctets() {}

    /** Stores {@code count} bytes, an even number. */
    static void store(MemorySegment segment, int count, long value) {
        long offset = 0;
        for (; offset + Long.BYTES <= count; offset += Long.BYTES) {
            LONG.set(segment, offset, value + offset);
        }
        if (offset + Integer.BYTES <= count) {
            INT.set(segment, offset, (int) value);
            offset += Integer.BYTES;
        }
        if (offset + Short.BYTES <= count) {
            SHORT.set(segment, offset, (short) value);
        }
    }

    /** Loads {@code count} bytes, an even number, and returns a mix of them. */
    static long load(MemorySegment segment, int count) {
        long mix = 0;
        long offset = 0;
        for (; offset + Long.BYTES <= count; offset += Long.BYTES) {
            mix ^= (long) LONG.get(segment, offset);
        }
        if (offset + Integer.BYTES <= count) {
            mix ^= (int) INT.get(segment, offset);
            offset += Integer.BYTES;
        }
        if (offset + Short.BYTES <= count) {
            mix ^= (short) SHORT.get(segment, offset);
        }
        return mix;
    }
}
