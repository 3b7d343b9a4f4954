package org.panamaverbs.iwarp.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the TCP connections out of a classic pcap file: Ethernet, IPv4, no fragments, each octet captured once and in
 * order. Anything else is refused, because a replay of it would prove nothing.
 */
public final class Pcap {
    private static final int MAGIC_MICROS = 0xA1B2C3D4;
    private static final int MAGIC_NANOS = 0xA1B23C4D;
    private static final int FILE_HEADER = 24;
    private static final int LINKTYPE_OFFSET = 20;
    private static final int LINKTYPE_ETHERNET = 1;
    private static final int ETHERNET_HEADER = 14;
    private static final int ETHERTYPE_OFFSET = 12;
    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int PROTOCOL_TCP = 6;
    private static final int FLAG_FIN = 0x01;
    private static final int FLAG_SYN = 0x02;
    private static final int FLAG_RST = 0x04;
    private static final int FLAG_ACK = 0x10;

    private Pcap() {}

    /** Who sent a segment: the side that opened the connection, or the other one. */
    public enum Direction {
        /** From the side that sent the first SYN, which is MPA's initiator. */
        FROM_INITIATOR,
        /** From the side that answered it. */
        FROM_RESPONDER
    }

    /**
     * One TCP segment.
     *
     * @param direction who sent it
     * @param syn SYN was set
     * @param fin FIN was set
     * @param rst RST was set
     * @param payload what it carried, often nothing
     */
    public record Segment(Direction direction, boolean syn, boolean fin, boolean rst, Octets payload) {}

    /**
     * One TCP connection.
     *
     * @param initiatorPort port of the side that opened it
     * @param responderPort port of the other side
     * @param segments every segment of both directions, in capture order
     */
    public record Connection(int initiatorPort, int responderPort, List<Segment> segments) {
        /** The segments with payload, in capture order. */
        public List<Segment> data() {
            return segments.stream()
                    .filter(segment -> !segment.payload().isEmpty())
                    .toList();
        }

        /** Everything one side sent, in one piece. */
        public byte[] stream(Direction direction) {
            byte[] bytes = new byte[0];
            for (Segment segment : segments) {
                if (segment.direction() == direction) {
                    byte[] more = segment.payload().toByteArray();
                    int length = bytes.length;
                    bytes = Arrays.copyOf(bytes, length + more.length);
                    System.arraycopy(more, 0, bytes, length, more.length);
                }
            }
            return bytes;
        }

        /** True when this side closed its half. */
        public boolean finished(Direction direction) {
            return segments.stream().anyMatch(segment -> segment.direction() == direction && segment.fin());
        }
    }

    private record Endpoint(int address, int port) {}

    private record Key(Endpoint initiator, Endpoint responder) {}

    private static final class Flow {
        final List<Segment> segments = new ArrayList<>();
        final Half fromInitiator = new Half();
        final Half fromResponder = new Half();
    }

    private static final class Half {
        boolean started;
        int nextSequence;
    }

    /** The connections of {@code wire/pcap/<name>.pcap}, in the order in which they were opened. */
    public static List<Connection> load(String name) {
        return parse(Samples.resource("pcap/" + name + ".pcap"));
    }

    /** The connections of a capture, in the order in which they were opened. */
    public static List<Connection> parse(byte[] file) {
        ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int magic = buffer.getInt(0);
        if (magic != MAGIC_MICROS && magic != MAGIC_NANOS) {
            buffer.order(ByteOrder.BIG_ENDIAN);
            magic = buffer.getInt(0);
        }
        require(magic == MAGIC_MICROS || magic == MAGIC_NANOS, "not a pcap file");
        require(buffer.getInt(LINKTYPE_OFFSET) == LINKTYPE_ETHERNET, "link type is not Ethernet");
        buffer.position(FILE_HEADER);
        Map<Key, Flow> flows = new LinkedHashMap<>();
        while (buffer.hasRemaining()) {
            buffer.getLong(); // time
            int captured = buffer.getInt();
            require(captured == buffer.getInt(), "a packet was cut by the snap length");
            packet(buffer.slice(buffer.position(), captured), flows);
            buffer.position(buffer.position() + captured);
        }
        List<Connection> connections = new ArrayList<>();
        flows.forEach((key, flow) -> connections.add(
                new Connection(key.initiator().port(), key.responder().port(), List.copyOf(flow.segments))));
        return connections;
    }

    private static void packet(ByteBuffer frame, Map<Key, Flow> flows) {
        require((frame.getShort(ETHERTYPE_OFFSET) & 0xFFFF) == ETHERTYPE_IPV4, "not IPv4");
        ByteBuffer ip = frame.slice(ETHERNET_HEADER, frame.limit() - ETHERNET_HEADER);
        require(ip.get(9) == PROTOCOL_TCP, "not TCP");
        require((ip.getShort(6) & 0x3FFF) == 0, "an IP fragment");
        int ipHeader = (ip.get(0) & 0x0F) * 4;
        int ipLength = ip.getShort(2) & 0xFFFF;
        ByteBuffer tcp = ip.slice(ipHeader, ipLength - ipHeader);
        Endpoint source = new Endpoint(ip.getInt(12), tcp.getShort(0) & 0xFFFF);
        Endpoint target = new Endpoint(ip.getInt(16), tcp.getShort(2) & 0xFFFF);
        int flags = tcp.get(13);
        boolean opens = (flags & (FLAG_SYN | FLAG_ACK)) == FLAG_SYN;
        Direction direction = opens || flows.containsKey(new Key(source, target))
                ? Direction.FROM_INITIATOR
                : Direction.FROM_RESPONDER;
        Key key = direction == Direction.FROM_INITIATOR ? new Key(source, target) : new Key(target, source);
        if (opens) {
            require(!flows.containsKey(key), "a port pair was used twice");
            flows.put(key, new Flow());
        }
        Flow flow = flows.get(key);
        if (flow == null) {
            throw new IllegalArgumentException("cannot replay this capture: a connection began before it");
        }
        add(flow, direction, tcp, flags);
    }

    private static void add(Flow flow, Direction direction, ByteBuffer tcp, int flags) {
        int header = ((tcp.get(12) & 0xF0) >>> 4) * 4;
        byte[] payload = new byte[tcp.limit() - header];
        tcp.get(header, payload);
        boolean syn = (flags & FLAG_SYN) != 0;
        boolean fin = (flags & FLAG_FIN) != 0;
        Half half = direction == Direction.FROM_INITIATOR ? flow.fromInitiator : flow.fromResponder;
        int sequence = tcp.getInt(4);
        require(!half.started || half.nextSequence == sequence, "a TCP segment out of order or repeated");
        half.started = true;
        half.nextSequence = sequence + payload.length + (syn ? 1 : 0) + (fin ? 1 : 0);
        flow.segments.add(new Segment(direction, syn, fin, (flags & FLAG_RST) != 0, Octets.of(payload)));
    }

    private static void require(boolean condition, String problem) {
        if (!condition) {
            throw new IllegalArgumentException("cannot replay this capture: " + problem);
        }
    }
}
