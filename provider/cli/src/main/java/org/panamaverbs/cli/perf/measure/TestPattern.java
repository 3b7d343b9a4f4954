package org.panamaverbs.cli.perf.measure;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What both sides send and have to be read: octets that tell where they belong. */
final class TestPattern {
    private static final int STEP = 131;

    private TestPattern() {}

    /** Returns octet {@code index} of it. */
    static byte octet(int index) {
        return (byte) (index * STEP + (index >>> Byte.SIZE) + 1);
    }

    /** Fills the first {@code length} octets of {@code segment} with it. */
    static void fill(MemorySegment segment, int length) {
        for (int i = 0; i < length; i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, octet(i));
        }
    }
}
