package org.panamaverbs.cli.decode.capture;

import org.jspecify.annotations.Nullable;

/**
 * The four forms of a classic pcap, told apart by its first word.
 *
 * @param bigEndian the byte order of all its headers
 * @param nanosPerTick of the second word of a timestamp
 */
record PcapFormat(boolean bigEndian, int nanosPerTick) {
    private static final int MICROS = 0xA1B2C3D4;
    private static final int NANOS = 0xA1B23C4D;
    private static final int NANOS_PER_MICRO = 1000;

    /** The format that begins with this word, read as big-endian, or null. */
    static @Nullable PcapFormat of(int word) {
        for (boolean bigEndian : new boolean[] {true, false}) {
            int magic = bigEndian ? word : Integer.reverseBytes(word);
            if (magic == MICROS || magic == NANOS) {
                return new PcapFormat(bigEndian, magic == MICROS ? NANOS_PER_MICRO : 1);
            }
        }
        return null;
    }
}
