package org.panamaverbs.iwarp.core.receive;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.panamaverbs.iwarp.wire.Crc32c;

/**
 * The CRC of the FPDU that is being received (RFC 5044 §4.4), if CRCs were negotiated: one run over all that lies
 * together in staging.
 */
public final class FpduCrc {
    private final Crc32c crc = new Crc32c();
    private boolean on;
    // Octets of the open FPDU could not be counted.
    private boolean unknown;
    // From where on staged octets of the open FPDU do not count yet.
    private int from;

    void start(boolean withCrc) {
        on = withCrc;
    }

    /** Begins an FPDU at {@code at} of what is staged. */
    void open(int at) {
        crc.reset();
        unknown = false;
        from = at;
    }

    /** Other octets are staged: of the open FPDU those from the first on. */
    void stagedAgain() {
        from = 0;
    }

    /** Counts what is staged in front of {@code at}. */
    void upTo(ByteBuffer staged, int at) {
        if (on && at > from) {
            crc.update(staged, from, at - from);
        }
        from = Math.max(from, at);
    }

    /** Counts {@code length} octets that were placed. */
    void add(ByteBuffer view, int start, int length) {
        if (on && length > 0) {
            crc.update(view, start, length);
        }
    }

    /** Gives up the CRC of the open FPDU: octets that count in it are gone. */
    void giveUp() {
        unknown = true;
    }

    /** Tells whether the CRC field at {@code offset} is right; any is where there are no CRCs, or it was given up. */
    boolean matches(MemorySegment segment, long offset) {
        return !on || unknown || crc.matches(segment, offset);
    }
}
