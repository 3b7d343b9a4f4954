package org.panamaverbs.examples.nvme.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** How the numbers and names of NVMe lie in memory. */
final class LittleEndian {
    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    static int unsignedByte(MemorySegment segment, long at) {
        return Byte.toUnsignedInt(segment.get(BYTE, at));
    }

    static int unsignedShort(MemorySegment segment, long at) {
        return Short.toUnsignedInt(segment.get(SHORT, at));
    }

    /** Returns the text in a field of {@code bytes} bytes, which ends at its first 0 or where the field does. */
    static String text(MemorySegment segment, long at, int bytes) {
        byte[] field = segment.asSlice(at, bytes).toArray(BYTE);
        int end = 0;
        while (end < bytes && field[end] != 0) {
            end++;
        }
        return new String(field, 0, end, StandardCharsets.UTF_8).strip();
    }

    /** Fills a field of {@code bytes} bytes with {@code text} and then with {@code padding}. */
    static void putText(MemorySegment segment, long at, int bytes, String text, char padding) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        if (octets.length > bytes) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" has " + octets.length + " bytes, and its field " + bytes);
        }
        segment.asSlice(at, bytes).fill((byte) padding);
        MemorySegment.copy(octets, 0, segment, BYTE, at, octets.length);
    }
}
