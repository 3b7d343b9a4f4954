package org.panamaverbs.cli.decode.capture;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** A stream that knows its position and tells where it ended too early. */
final class Source {
    // An announced length is not trusted with memory before the octets are there.
    private static final int PIECE_BYTES = 1 << 16;

    private final InputStream stream;
    private long position;

    Source(InputStream stream) {
        this.stream = stream;
    }

    /** Offset in the file of the next octet. */
    long position() {
        return position;
    }

    /** Returns the next {@code length} octets, or fewer if the file ends before. */
    byte[] upTo(int length) throws IOException {
        byte[] octets = new byte[Math.min(length, PIECE_BYTES)];
        int read = 0;
        while (true) {
            int more = stream.readNBytes(octets, read, octets.length - read);
            read += more;
            position += more;
            if (read < octets.length) {
                return Arrays.copyOf(octets, read);
            }
            if (read == length) {
                return octets;
            }
            octets = Arrays.copyOf(octets, (int) Math.min(length, 2L * octets.length));
        }
    }

    /**
     * Returns the next {@code length} octets.
     *
     * @param what names them for the message
     * @throws CaptureException if the file ends before
     */
    byte[] exactly(int length, String what) throws IOException {
        long start = position;
        byte[] octets = upTo(length);
        if (octets.length < length) {
            throw new CaptureException(
                    "ends at offset %d, within %s, which begins at offset %d: %d of %d octets are there"
                            .formatted(position, what, start, octets.length, length));
        }
        return octets;
    }

    static int intOf(byte[] octets, int offset, boolean bigEndian) {
        int value = (octets[offset] & 0xFF) << 24
                | (octets[offset + 1] & 0xFF) << 16
                | (octets[offset + 2] & 0xFF) << 8
                | (octets[offset + 3] & 0xFF);
        return bigEndian ? value : Integer.reverseBytes(value);
    }

    static int shortOf(byte[] octets, int offset, boolean bigEndian) {
        int value = (octets[offset] & 0xFF) << 8 | (octets[offset + 1] & 0xFF);
        return bigEndian ? value : Short.toUnsignedInt(Short.reverseBytes((short) value));
    }
}
