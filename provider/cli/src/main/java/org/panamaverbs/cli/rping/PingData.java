package org.panamaverbs.cli.rping;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * The text of a ping: {@code rdma-ping-N: }, then the characters from {@code A} to {@code z} over and over, then a NUL.
 */
final class PingData {
    /** The shortest ping, in bytes: the heading of the highest ping number, and the NUL. */
    static final int MIN_BYTES = 23;

    private static final int FIRST = 'A';
    private static final int CHARACTERS = 'z' - 'A' + 1;

    private PingData() {}

    /** Fills the first {@code size} bytes of {@code segment} for ping {@code number}, counted from 0. */
    static void fill(MemorySegment segment, int number, int size) {
        byte[] heading = ("rdma-ping-" + number + ": ").getBytes(StandardCharsets.US_ASCII);
        int start = Math.min(heading.length, size - 1);
        MemorySegment.copy(heading, 0, segment, JAVA_BYTE, 0, start);
        int next = number % CHARACTERS;
        for (int i = start; i < size - 1; i++) {
            segment.set(JAVA_BYTE, i, (byte) (FIRST + next));
            next = next + 1 == CHARACTERS ? 0 : next + 1;
        }
        segment.set(JAVA_BYTE, size - 1, (byte) 0);
    }

    /** Returns the characters of the first {@code size} bytes of {@code segment} up to the first NUL. */
    static String text(MemorySegment segment, int size) {
        String text = new String(segment.asSlice(0, size).toArray(JAVA_BYTE), StandardCharsets.ISO_8859_1);
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }
}
