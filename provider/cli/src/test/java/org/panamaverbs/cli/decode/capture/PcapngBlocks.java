package org.panamaverbs.cli.decode.capture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Writes pcapng, block by block. */
public final class PcapngBlocks {
    private PcapngBlocks() {}

    /** A block of a pcapng. */
    public static byte[] block(ByteOrder order, int type, byte[] body) {
        int padded = (body.length + 3) & ~3;
        ByteBuffer block = ByteBuffer.allocate(12 + padded).order(order);
        block.putInt(type)
                .putInt(block.capacity())
                .put(body)
                .position(8 + padded)
                .putInt(block.capacity());
        return block.array();
    }

    /** A section header. */
    public static byte[] section(ByteOrder order) {
        ByteBuffer body = ByteBuffer.allocate(16).order(order);
        body.putInt(0x1A2B3C4D).putShort((short) 1).putShort((short) 0).putLong(-1);
        return block(order, 0x0A0D0D0A, body.array());
    }

    /** An interface, with its link type. */
    public static byte[] description(ByteOrder order, int linkType, int snapLength, byte[] options) {
        ByteBuffer body = ByteBuffer.allocate(8 + options.length).order(order);
        body.putShort((short) linkType).putShort((short) 0).putInt(snapLength).put(options);
        return block(order, 1, body.array());
    }

    /** Options of an interface that say the unit of its timestamps. */
    public static byte[] resolution(ByteOrder order, int tsresol, long offsetSeconds) {
        ByteBuffer options = ByteBuffer.allocate(40).order(order);
        options.putShort((short) 2).putShort((short) 3).put(new byte[] {'l', 'o', '0', 0}); // if_name, padded
        options.putShort((short) 9).putShort((short) 1).put((byte) tsresol).put(new byte[3]);
        options.putShort((short) 14).putShort((short) 8).putLong(offsetSeconds);
        options.putInt(0);
        return Arrays.copyOf(options.array(), options.position());
    }

    /** A packet of this interface. */
    public static byte[] enhanced(ByteOrder order, int id, long ticks, byte[] packet) {
        ByteBuffer body = ByteBuffer.allocate(20 + packet.length).order(order);
        body.putInt(id).putInt((int) (ticks >>> 32)).putInt((int) ticks);
        body.putInt(packet.length).putInt(packet.length).put(packet);
        return block(order, 6, body.array());
    }

    /** A packet of the first interface, without a time. */
    public static byte[] simple(ByteOrder order, byte[] packet) {
        ByteBuffer body = ByteBuffer.allocate(4 + packet.length).order(order);
        return block(order, 3, body.putInt(packet.length).put(packet).array());
    }

    /** One behind the other. */
    public static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
