package org.panamaverbs.examples.ring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Where things lie, on both sides and in all messages. Two machines need not have the same byte order, so it is fixed.
 *
 * @param slots how many records the ring holds
 */
record RingLayout(int slots) {
    /** A slot: number of the record (8 bytes), length of the text (4), text. */
    static final int SLOT_BYTES = 128;

    static final Charset CHARSET = StandardCharsets.UTF_8;

    /** What both sides send each other: a number of records (8 bytes), and whether these are all (8). */
    static final int NOTE_BYTES = 16;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int TEXT = 12;

    static RingLayout of(int slots) {
        return new RingLayout(slots);
    }

    int bytes() {
        return slots * SLOT_BYTES;
    }

    int longestText() {
        return SLOT_BYTES - TEXT;
    }

    /** Returns where record {@code number} lies in the ring. */
    long offset(long number) {
        return number % slots * SLOT_BYTES;
    }

    /** Puts record {@code number} into its slot; returns how many bytes it takes. */
    int put(MemorySegment ring, long number, byte[] text) {
        long at = offset(number);
        ring.set(LONG, at, number);
        ring.set(INT, at + Long.BYTES, text.length);
        MemorySegment.copy(text, 0, ring, JAVA_BYTE, at + TEXT, text.length);
        return TEXT + text.length;
    }

    /** Returns the number that stands in the slot of record {@code number}. */
    long numberAt(MemorySegment ring, long number) {
        return ring.get(LONG, offset(number));
    }

    String textAt(MemorySegment ring, long number) {
        long at = offset(number);
        byte[] text = ring.asSlice(at + TEXT, ring.get(INT, at + Long.BYTES)).toArray(JAVA_BYTE);
        return new String(text, CHARSET);
    }

    static void putNote(MemorySegment note, long records, boolean all) {
        note.set(LONG, 0, records);
        note.set(LONG, Long.BYTES, all ? 1 : 0);
    }

    static long noteRecords(MemorySegment notes, long at) {
        return notes.get(LONG, at);
    }

    static boolean noteAll(MemorySegment notes, long at) {
        return notes.get(LONG, at + Long.BYTES) != 0;
    }
}
