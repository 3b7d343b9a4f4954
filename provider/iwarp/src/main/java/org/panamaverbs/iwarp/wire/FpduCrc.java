package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * The CRC of the FPDU that is being built or received (RFC 5044 §4.4), if CRCs were negotiated: one run over all that
 * lies together in a buffer, be that of headers to be sent or of what was received.
 */
public final class FpduCrc {
    private final Crc32c crc = new Crc32c();
    // As negotiated; set when the stream starts.
    private boolean on;
    // Octets of the open FPDU could not be counted.
    private boolean unknown;
    // From where on octets of the open FPDU in the buffer do not count yet.
    private int from;

    /** Says whether there are CRCs. */
    public void start(boolean withCrc) {
        on = withCrc;
    }

    /** Tells whether there are CRCs. */
    public boolean isOn() {
        return on;
    }

    /** Begins an FPDU at {@code at} of the buffer. */
    public void open(int at) {
        crc.reset();
        unknown = false;
        from = at;
    }

    /** The buffer holds other octets: of the open FPDU those from the first on. */
    public void beginsAgain() {
        from = 0;
    }

    /** Counts what is in the buffer in front of {@code at}. */
    public void upTo(ByteBuffer buffer, int at) {
        if (on && at > from) {
            crc.update(buffer, from, at - from);
        }
        from = Math.max(from, at);
    }

    /** Counts {@code length} octets that lie elsewhere; changes position and limit of {@code view}. */
    public void add(ByteBuffer view, int start, int length) {
        if (on && length > 0) {
            crc.update(view, start, length);
        }
    }

    /**
     * Tells whether the CRC field at {@code crcAt} of {@code memory}, which {@code buffer} is a view of, is right for
     * what is in front of it from {@code at} on; any is where there are no CRCs. No FPDU is open; changes the buffer's
     * position and limit.
     */
    public boolean covers(ByteBuffer buffer, MemorySegment memory, int at, int crcAt) {
        if (!on) {
            return true;
        }
        crc.reset();
        crc.update(buffer, at, crcAt - at);
        return crc.matches(memory, crcAt);
    }

    /** Gives up the CRC of the open FPDU: octets that count in it are gone. */
    public void giveUp() {
        unknown = true;
    }

    /** Tells whether the CRC field at {@code offset} is right; any is where there are no CRCs, or it was given up. */
    public boolean matches(MemorySegment segment, long offset) {
        return !on || unknown || crc.matches(segment, offset);
    }

    /** Writes the CRC field at {@code crcAt} of {@code memory}, of a whole FPDU that begins at {@code at}; as above. */
    public void seal(ByteBuffer buffer, MemorySegment memory, int at, int crcAt) {
        if (on) {
            crc.reset();
            crc.update(buffer, at, crcAt - at);
        }
        emit(memory, crcAt);
    }

    /** Writes the CRC field; zero where there are no CRCs. */
    public void emit(MemorySegment segment, long offset) {
        if (on) {
            crc.emit(segment, offset);
        } else {
            segment.set(ValueLayout.JAVA_INT_UNALIGNED, offset, 0);
        }
    }
}
