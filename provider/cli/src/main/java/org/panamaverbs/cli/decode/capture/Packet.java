package org.panamaverbs.cli.decode.capture;

/**
 * A captured packet.
 *
 * @param frame its number in the capture, from 1
 * @param timeNanos when it was captured, in nanoseconds since 1970-01-01 UTC, or {@link #NO_TIME}
 * @param interfaceId the interface that a pcapng says it was captured on, numbered from 0 in its section; 0 in a pcap
 * @param linkType what {@code octets} begins with: a LINKTYPE number of pcap
 * @param octets what was captured of it; whoever gets the packet owns them
 * @param wireLength octets that it had
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Packet(long frame, long timeNanos, int interfaceId, int linkType, byte[] octets, long wireLength) {
    /** In place of a time: the capture does not say it. Less than any. */
    public static final long NO_TIME = Long.MIN_VALUE;
}
