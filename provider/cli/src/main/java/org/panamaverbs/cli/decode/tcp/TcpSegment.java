package org.panamaverbs.cli.decode.tcp;

/**
 * A segment of TCP.
 *
 * @param frame the packet's number in the capture
 * @param timeNanos when it was captured, in nanoseconds since 1970-01-01 UTC
 * @param source who sent it
 * @param target to whom
 * @param sequence sequence number
 * @param acknowledgment meaningful with {@link #ack}
 * @param flags the flags' octet
 * @param octets of the whole packet
 * @param offset where the payload begins in {@code octets}
 * @param length octets of payload that were captured
 * @param wireLength octets of payload that were sent, at least {@code length}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TcpSegment(
        long frame,
        long timeNanos,
        Endpoint source,
        Endpoint target,
        int sequence,
        int acknowledgment,
        int flags,
        byte[] octets,
        int offset,
        int length,
        int wireLength) {
    private static final int FIN = 0x01;
    private static final int SYN = 0x02;
    private static final int ACK = 0x10;

    /** Ends its sender's octets. */
    public boolean fin() {
        return (flags & FIN) != 0;
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
