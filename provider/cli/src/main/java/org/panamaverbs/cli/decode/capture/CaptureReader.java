package org.panamaverbs.cli.decode.capture;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the packets of a capture in the order of the file, holding one at a time. */
public interface CaptureReader {
    /** Longest packet or block that is believed; what claims to be longer is taken as damage. */
    int MAX_BLOCK_BYTES = 16 << 20;

    /**
     * Returns the next packet, or null at the end of the capture.
     *
     * @throws CaptureException if the file is damaged or cut off here; nothing more can be read from it
     */
    @Nullable
    Packet next() throws IOException;

    /** Octets of the file that were read so far. */
    long position();
}
