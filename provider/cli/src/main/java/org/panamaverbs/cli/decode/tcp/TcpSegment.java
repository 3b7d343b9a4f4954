package org.panamaverbs.cli.decode.tcp;

import java.util.Arrays;
import org.panamaverbs.cli.decode.capture.Packet;

/**
 * A segment of TCP.
 *
 * @param arrival the packet that it came in
 * @param source who sent it
 * @param target to whom
 * @param sequence sequence number
 * @param acknowledgment meaningful with {@link #ack}
 * @param flags the flags' octet
 * @param payload what it carries
 */
public record TcpSegment(
        Arrival arrival,
        Endpoint source,
        Endpoint target,
        int sequence,
        int acknowledgment,
        int flags,
        Payload payload) {
    /**
     * A packet of the capture.
     *
     * @param frame its number
     * @param timeNanos when it was captured, in nanoseconds since 1970-01-01 UTC, or {@link Packet#NO_TIME}
     * @param link where
     */
    public record Arrival(long frame, long timeNanos, Link link) {}

    /**
     * Octets of a packet.
     *
     * @param octets of the whole packet
     * @param offset where the payload begins in {@code octets}
     * @param length octets of payload that were captured
     * @param wireLength octets of payload that were sent, at least {@code length}
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Payload(byte[] octets, int offset, int length, int wireLength) {
        /** Returns whether octets were sent that were not captured. */
        public boolean isCutOff() {
            return length < wireLength;
        }

        /** Returns the same payload in an array of its own. */
        Payload copy() {
            return new Payload(Arrays.copyOfRange(octets, offset, offset + length), 0, length, wireLength);
        }
    }

    private static final int FIN = 0x01;
    private static final int SYN = 0x02;
    private static final int RST = 0x04;
    private static final int ACK = 0x10;

    /** Ends its sender's octets. */
    public boolean fin() {
        return (flags & FIN) != 0;
    }

    /** Ends the connection at once. */
    public boolean rst() {
        return (flags & RST) != 0;
    }

    /** Opens its sender's direction. */
    public boolean syn() {
        return (flags & SYN) != 0;
    }

    /** Has an acknowledgment number. */
    public boolean ack() {
        return (flags & ACK) != 0;
    }
}
