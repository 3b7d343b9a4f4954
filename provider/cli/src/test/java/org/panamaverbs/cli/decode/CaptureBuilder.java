package org.panamaverbs.cli.decode;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes captures of TCP connections between 10.0.0.1 and 10.0.0.2, segment by segment. */
final class CaptureBuilder {
    static final int FIN = 1;
    static final int SYN = 2;
    static final int RST = 4;
    static final int ACK = 16;

    private static final int IP_AND_TCP = 40;

    private final List<byte[]> packets = new ArrayList<>();
    private final int port;
    private int sequence;
    private int peerSequence;
    private final List<byte[]> payloads = new ArrayList<>();

    /** A connection from this port to port 7174. */
    CaptureBuilder(int port, int firstSequence) {
        this.port = port;
        sequence = firstSequence;
        peerSequence = firstSequence + 77;
    }

    CaptureBuilder() {
        this(40_000, 1000);
    }

    /** The three segments that open the connection. */
    CaptureBuilder open() {
        segment(true, sequence, 0, SYN, new byte[0]);
        sequence++;
        segment(false, peerSequence, sequence, SYN | ACK, new byte[0]);
        peerSequence++;
        return segment(true, sequence, peerSequence, ACK, new byte[0]);
    }

    /** Both sides close. */
    CaptureBuilder close() {
        segment(true, sequence, peerSequence, FIN | ACK, new byte[0]);
        sequence++;
        segment(false, peerSequence, sequence, FIN | ACK, new byte[0]);
        peerSequence++;
        return segment(true, sequence, peerSequence, ACK, new byte[0]);
    }

    /** The next octets of the side that opens the connection, as one segment. */
    CaptureBuilder send(byte[] octets) {
        segment(true, sequence, peerSequence, ACK, octets);
        sequence += octets.length;
        return this;
    }

    /** The next octets of the other side. */
    CaptureBuilder answer(byte[] octets) {
        segment(false, peerSequence, sequence, ACK, octets);
        peerSequence += octets.length;
        return this;
    }

    /** The same in segments of this many octets. */
    CaptureBuilder sendInPieces(byte[] octets, int pieceBytes) {
        for (int at = 0; at < octets.length; at += pieceBytes) {
            send(java.util.Arrays.copyOfRange(octets, at, Math.min(octets.length, at + pieceBytes)));
        }
        return this;
    }

    /** An acknowledgment by the side that was connected to. */
    CaptureBuilder acknowledge() {
        return segment(false, peerSequence, sequence, ACK, new byte[0]);
    }

    CaptureBuilder segment(boolean fromOpener, int seq, int ack, int flags, byte[] payload) {
        ByteBuffer packet = ByteBuffer.allocate(IP_AND_TCP + payload.length);
        packet.put((byte) 0x45)
                .put((byte) 0)
                .putShort((short) packet.capacity())
                .putInt(0x4000);
        packet.put((byte) 64).put((byte) 6).putShort((short) 0);
        packet.putInt(fromOpener ? 0x0A000001 : 0x0A000002).putInt(fromOpener ? 0x0A000002 : 0x0A000001);
        packet.putShort((short) (fromOpener ? port : 7174)).putShort((short) (fromOpener ? 7174 : port));
        packet.putInt(seq)
                .putInt(ack)
                .put((byte) 0x50)
                .put((byte) flags)
                .putShort((short) 0xFFFF)
                .putInt(0);
        packet.put(payload);
        packets.add(packet.array());
        payloads.add(payload);
        return this;
    }

    /** Adds the packets of another connection. */
    CaptureBuilder with(CaptureBuilder other) {
        packets.addAll(other.packets);
        return this;
    }

    /** Leaves out the packet with this index; counts from the end if negative. */
    CaptureBuilder drop(int index) {
        packets.remove(index < 0 ? packets.size() + index : index);
        return this;
    }

    /** Moves a packet. */
    CaptureBuilder move(int from, int to) {
        packets.add(to, packets.remove(from));
        return this;
    }

    /** Adds a packet again. */
    CaptureBuilder repeat(int index) {
        packets.add(packets.get(index));
        return this;
    }

    int size() {
        return packets.size();
    }

    int sequence() {
        return sequence;
    }

    int peerSequence() {
        return peerSequence;
    }

    /** The IP packets. */
    List<byte[]> packets() {
        return packets;
    }

    /** All of it as a pcap of raw IP, a millisecond between two packets. */
    byte[] pcap() {
        return pcap(Integer.MAX_VALUE);
    }

    /** The same, each packet cut off after so many octets. */
    byte[] pcap(int snapLength) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0xA1B2C3D4)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0)
                .putInt(262_144)
                .putInt(101);
        out.writeBytes(header.array());
        for (int i = 0; i < packets.size(); i++) {
            byte[] packet = packets.get(i);
            int captured = Math.min(snapLength, packet.length);
            ByteBuffer head = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
            head.putInt(1_700_000_000 + i / 1000)
                    .putInt(i % 1000 * 1000)
                    .putInt(captured)
                    .putInt(packet.length);
            out.writeBytes(head.array());
            out.write(packet, 0, captured);
        }
        return out.toByteArray();
    }

    /** Octets of text. */
    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
