package org.panamaverbs.examples.log;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Where things lie in the memory of leader and replicas alike. */
final class LogLayout {
    /** How many entries are whole: a cell for atomics, in the byte order of the machine that has it. */
    static final int TAIL = 0;

    /** An entry: its number (8 bytes), what it says (48), CRC32C of both (8). */
    static final int ENTRY_BYTES = 64;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int SUM = 56;

    private LogLayout() {}

    static long bytes(int entries) {
        return (entries + 1L) * ENTRY_BYTES;
    }

    static long offset(long number) {
        return (number + 1) * ENTRY_BYTES;
    }

    static void put(MemorySegment log, long number) {
        long at = offset(number);
        log.set(LONG, at, number);
        log.setString(at + Long.BYTES, "entry " + number + " of the log");
        log.set(LONG, at + SUM, sum(log, at));
    }

    /** Tells whether entry {@code number} is the one that the leader wrote. */
    static boolean isWhole(MemorySegment log, long number) {
        long at = offset(number);
        return log.get(LONG, at) == number && log.get(LONG, at + SUM) == sum(log, at);
    }

    private static long sum(MemorySegment log, long at) {
        var sum = new CRC32C();
        sum.update(log.asSlice(at, SUM).toArray(JAVA_BYTE));
        return sum.getValue();
    }
}
