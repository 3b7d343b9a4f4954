package org.panamaverbs.cli.perf.measure;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What both sides send and have to be read: bytes that tell where they belong. */
final class TestPattern {
    private static final int STEP = 131;
    /** After so many bytes it begins again. */
    private static final int PERIOD = 1 << (2 * Byte.SIZE);

    private TestPattern() {}

    /** Returns byte {@code index} of it. */
    static byte octet(int index) {
        return (byte) (index * STEP + (index >>> Byte.SIZE) + 1);
    }

    /** Fills the first {@code length} bytes of {@code segment} with it. */
    static void fill(MemorySegment segment, int length) {
        int first = Math.min(length, PERIOD);
        for (int i = 0; i < first; i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, octet(i));
        }
        for (long done = first; done < length; ) {
            long more = Math.min(done, length - done);
            MemorySegment.copy(segment, 0, segment, done, more);
            done += more;
        }
    }
}
