package org.panamaverbs.api.cm.outofband;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * One end of an out-of-band connection: what a peer needs to reach a queue pair, and buffers that the peer may use.
 * Immutable.
 *
 * <p>The encoded form has {@value #HEADER_BYTES} bytes in network order, then {@value RemoteBuffer#BYTES} per buffer.
 * It contains its length, and can be produced by programs in other languages:
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                   Magic: "PVQP" (50 56 51 50)                 |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |   Version 1   |  ibv_qp_type  |    ibv_mtu    |       0       |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |       0       |           Queue pair number                   |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |       0       |           First packet number (PSN)           |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                  Key of datagrams (Q_Key), UD                 |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |              LID              |      IRD      |      ORD      |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                                                               |
 *  +                         GID (16 bytes)                       +
 *  |                                                               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |       Buffers (0 to 32)       |               0               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                 each buffer as RemoteBuffer has it            |
 * </pre>
 *
 * @param type the type of the queue pair
 * @param qpNumber the queue pair number, 24 bits ({@code dest_qp_num} at the peer)
 * @param psn the first packet number it sends, 24 bits ({@code rq_psn} at the peer)
 * @param qkey the Q_Key for datagrams to it, 32 bits unsigned; 0 unless {@code type} is UD
 * @param lid the LID of its port, 0 to 65,535; 0 on Ethernet
 * @param gid its GID; zero if it has none
 * @param pathMtuBytes the largest packet it receives: 256, 512, 1024, 2048 or 4096 bytes
 * @param responderResources Reads and atomics that a peer may have outstanding there (IRD), 0 to 255
 * @param initiatorDepth Reads and atomics that it will have outstanding at the peer (ORD), 0 to 255
 * @param buffers memory that the peer may access, at most {@value #MAX_BUFFERS} buffers, each with known rights
 */
public record QueuePairEndpoint(
        QueuePairType type,
        int qpNumber,
        int psn,
        int qkey,
        int lid,
        Gid gid,
        int pathMtuBytes,
        int responderResources,
        int initiatorDepth,
        List<RemoteBuffer> buffers) {
    /** Length of the encoded form without buffers, in bytes. */
    public static final int HEADER_BYTES = 44;

    /** Maximum number of buffers: the form has at most 812 bytes, so that both sides may write before they read. */
    public static final int MAX_BUFFERS = 32;

    private static final int MAGIC = 0x50565150;
    private static final int VERSION = 1;
    private static final int BITS_24 = 0xFF_FFFF;
    private static final int BITS_16 = 0xFFFF;
    private static final int BITS_8 = 0xFF;
    private static final int BUFFERS = 40;

    /**
     * Checks the ranges and copies the list.
     *
     * @throws IllegalArgumentException if a number is out of range, or there are too many buffers
     */
    public QueuePairEndpoint {
        check("qpNumber", qpNumber, BITS_24);
        check("psn", psn, BITS_24);
        check("lid", lid, BITS_16);
        check("responderResources", responderResources, BITS_8);
        check("initiatorDepth", initiatorDepth, BITS_8);
        if (!PathMtu.exists(pathMtuBytes)) {
            throw new IllegalArgumentException("pathMtuBytes must be " + PathMtu.ALL + ", got " + pathMtuBytes);
        }
        buffers = List.copyOf(buffers);
        check("the number of buffers", buffers.size(), MAX_BUFFERS);
    }

    /**
     * Returns the encoded form as a new array.
     *
     * @throws IllegalStateException if the rights of a buffer are unknown
     */
    public byte[] encode() {
        ByteBuffer form = ByteBuffer.allocate(HEADER_BYTES + buffers.size() * RemoteBuffer.BYTES);
        form.putInt(MAGIC);
        form.put((byte) VERSION)
                .put((byte) code(type))
                .put((byte) PathMtu.code(pathMtuBytes))
                .put((byte) 0);
        form.putInt(qpNumber).putInt(psn).putInt(qkey);
        form.putShort((short) lid).put((byte) responderResources).put((byte) initiatorDepth);
        form.put(gid.toBytes());
        form.putShort((short) buffers.size()).putShort((short) 0);
        for (RemoteBuffer buffer : buffers) {
            buffer.encode(form);
        }
        return form.array();
    }

    /**
     * Returns the endpoint encoded at the position of {@code octets}, which advances behind it. For datagrams and
     * messages, which contain it as a whole.
     *
     * @throws ConnectionException with reason {@link Reason#PROTOCOL} if it is truncated, of another protocol or
     *     version, or invalid
     */
    public static QueuePairEndpoint decode(ByteBuffer octets) {
        ByteBuffer form = octets.slice();
        if (form.remaining() < HEADER_BYTES) {
            throw malformed(
                    "it has " + form.remaining() + " bytes, expected at least the header's " + HEADER_BYTES, null);
        }
        int bytes = HEADER_BYTES + count(form) * RemoteBuffer.BYTES;
        if (form.remaining() < bytes) {
            throw malformed("it has " + form.remaining() + " bytes, but claims to have " + bytes, null);
        }
        QueuePairEndpoint decoded = parse(form);
        octets.position(octets.position() + bytes);
        return decoded;
    }

    /**
     * Reads an endpoint from {@code stream}, and no byte beyond it. The stream limits the wait: for a socket
     * {@link java.net.Socket#setSoTimeout}. For a channel use {@link java.nio.channels.Channels#newInputStream}.
     *
     * @throws ConnectionException with reason {@link Reason#RESET} if the stream ends before, or as {@link #decode}
     * @throws IOException if the stream cannot be read
     */
    public static QueuePairEndpoint read(InputStream stream) throws IOException {
        byte[] header = new byte[HEADER_BYTES];
        DataInputStream data = new DataInputStream(stream);
        try {
            data.readFully(header);
            int more = count(ByteBuffer.wrap(header)) * RemoteBuffer.BYTES;
            ByteBuffer form = ByteBuffer.allocate(HEADER_BYTES + more).put(header);
            data.readFully(form.array(), HEADER_BYTES, more);
            return parse(form.clear());
        } catch (EOFException e) {
            throw new ConnectionException(
                    "exchange", Reason.RESET, "the stream ended before the peer sent its endpoint", e);
        }
    }

    /** Returns the number of buffers, after checking that this is a header: who speaks otherwise has no count there. */
    private static int count(ByteBuffer form) {
        if (form.getInt(0) != MAGIC) {
            throw malformed(
                    String.format(
                            "it begins with 0x%08x, expected 0x%08x; remedy: check that the peer uses this protocol",
                            form.getInt(0), MAGIC),
                    null);
        }
        int version = Byte.toUnsignedInt(form.get(Integer.BYTES));
        if (version != VERSION) {
            throw malformed("it has version " + version + ", expected " + VERSION, null);
        }
        int count = Short.toUnsignedInt(form.getShort(BUFFERS));
        if (count > MAX_BUFFERS) {
            throw malformed("it announces " + count + " buffers, expected at most " + MAX_BUFFERS, null);
        }
        return count;
    }

    /** Returns the endpoint of {@code form}, which is as long as it says. */
    private static QueuePairEndpoint parse(ByteBuffer form) {
        form.position(Integer.BYTES + 1);
        QueuePairType type = type(Byte.toUnsignedInt(form.get()));
        int mtuCode = Byte.toUnsignedInt(form.get());
        if (form.get() != 0) {
            throw malformed("the byte after the MTU is not 0", null);
        }
        try {
            int qpNumber = form.getInt();
            int psn = form.getInt();
            int qkey = form.getInt();
            int lid = Short.toUnsignedInt(form.getShort());
            int responderResources = Byte.toUnsignedInt(form.get());
            int initiatorDepth = Byte.toUnsignedInt(form.get());
            Gid gid = new Gid(form.getLong(), form.getLong());
            int count = Short.toUnsignedInt(form.getShort());
            if (form.getShort() != 0) {
                throw malformed("the bytes after the number of buffers are not 0", null);
            }
            List<RemoteBuffer> buffers = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                buffers.add(RemoteBuffer.decode(form));
            }
            return new QueuePairEndpoint(
                    type,
                    qpNumber,
                    psn,
                    qkey,
                    lid,
                    gid,
                    PathMtu.bytes(mtuCode),
                    responderResources,
                    initiatorDepth,
                    buffers);
        } catch (IllegalArgumentException e) {
            throw malformed(String.valueOf(e.getMessage()), e);
        }
    }

    // infiniband/verbs.h: enum ibv_qp_type
    private static int code(QueuePairType type) {
        return switch (type) {
            case RC -> 2;
            case UC -> 3;
            case UD -> 4;
            case RAW_PACKET -> 8;
            case XRC_SEND -> 9;
            case XRC_RECV -> 10;
            case DRIVER -> 0xFF;
        };
    }

    private static QueuePairType type(int code) {
        for (QueuePairType type : EnumSet.of(QueuePairType.RC, QueuePairType.UC, QueuePairType.UD)) {
            if (code(type) == code) {
                return type;
            }
        }
        throw malformed("its queue pair type is " + code + ", expected 2 (RC), 3 (UC) or 4 (UD)", null);
    }

    private static ConnectionException malformed(String what, @Nullable Throwable cause) {
        return new ConnectionException("exchange", Reason.PROTOCOL, "the peer's endpoint is malformed: " + what, cause);
    }

    private static void check(String what, int value, int most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(what + " must be 0 to " + most + ", got " + value);
        }
    }
}
