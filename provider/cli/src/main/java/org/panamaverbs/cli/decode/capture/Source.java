package org.panamaverbs.cli.decode.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
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

    /** Returns the next {@code length} octets, or fewer if the file ends before, in big-endian order. */
    ByteBuffer upTo(int length) throws IOException {
        byte[] octets = new byte[Math.min(length, PIECE_BYTES)];
        int read = 0;
        while (true) {
            int more = stream.readNBytes(octets, read, octets.length - read);
            read += more;
            position += more;
            if (read < octets.length) {
                return ByteBuffer.wrap(octets, 0, read).slice();
            }
            if (read == length) {
                return ByteBuffer.wrap(octets);
            }
            octets = Arrays.copyOf(octets, (int) Math.min(length, 2L * octets.length));
        }
    }

    /**
     * Returns the next {@code length} octets, in big-endian order and in an array of their own.
     *
     * @param what names them for the message
     * @throws CaptureException if the file ends before
     */
    ByteBuffer exactly(int length, String what) throws IOException {
        long start = position;
        ByteBuffer octets = upTo(length);
        if (octets.limit() < length) {
            throw new CaptureException(
                    "ends at offset %d, within %s, which begins at offset %d: %d of %d octets are there"
                            .formatted(position, what, start, octets.limit(), length));
        }
        return octets;
    }
}
