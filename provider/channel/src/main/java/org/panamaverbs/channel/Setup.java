package org.panamaverbs.channel;

import java.nio.ByteBuffer;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * What both ends say in their private data, {@value #BYTES} bytes in network order: magic, version, way, then what both
 * must have alike, then the ring that the other one may write.
 *
 * @param way how messages go
 * @param config the numbers that must be the same
 * @param rkey the key of the ring; 0 for none
 * @param address its address
 */
record Setup(Way way, ChannelConfig config, int rkey, long address) {
    /** Fits into a request of InfiniBand's connection manager, which has 56. */
    static final int BYTES = 36;

    private static final int MAGIC = 0x50564348; // PVCH
    private static final short VERSION = 2;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .putShort(VERSION)
                .putShort((short) way.number)
                .putInt(config.ringBytes())
                .putInt(config.receives())
                .putInt(config.receiveBytes())
                .putInt(config.maxMessageLength())
                .putInt(rkey)
                .putLong(address)
                .array();
    }

    /** Returns the way that {@code data} names, after a check of the rest. */
    static Way way(byte[] data, ChannelConfig mine) {
        if (data.length < BYTES) {
            throw new ChannelException("channel: the peer's private data has " + data.length + " bytes, expected "
                    + BYTES + "; remedy: connect to a port where a channel is accepted");
        }
        ByteBuffer its = ByteBuffer.wrap(data);
        int magic = its.getInt();
        if (magic != MAGIC) {
            throw new ChannelException(String.format(
                    "channel: the peer's private data begins with 0x%08x, expected 0x%08x; remedy: connect to a port"
                            + " where a channel is accepted",
                    magic, MAGIC));
        }
        short version = its.getShort();
        if (version != VERSION) {
            throw new ChannelException("channel: the peer has version " + version + " of the protocol, this side "
                    + VERSION + "; remedy: use the same release on both sides");
        }
        int number = its.getShort();
        Way way = number == Way.SENDS.number ? Way.SENDS : Way.RING;
        if (way.number != number) {
            throw new ChannelException("channel: the peer uses way " + number
                    + ", which this release does not have; remedy: use the same release on both sides");
        }
        same("ringBytes", its.getInt(), mine.ringBytes());
        same("receives", its.getInt(), mine.receives());
        same("receiveBytes", its.getInt(), mine.receiveBytes());
        same("maxMessageLength", its.getInt(), mine.maxMessageLength());
        return way;
    }

    private static void same(String what, int its, int mine) {
        if (its != mine) {
            throw new ChannelException("channel: the peer has " + what + " " + its + ", this side " + mine
                    + "; remedy: configure both sides alike");
        }
    }

    /** Returns the ring in {@code data}, which {@link #way} has checked. */
    static RemoteBuffer ring(byte[] data, ChannelConfig mine) {
        ByteBuffer its = ByteBuffer.wrap(data).position(BYTES - Integer.BYTES - Long.BYTES);
        int rkey = its.getInt();
        long address = its.getLong();
        try {
            return RemoteBuffer.of(rkey, address, mine.ringBytes(), Access.REMOTE_WRITE);
        } catch (IllegalArgumentException e) {
            throw new ChannelException(
                    String.format(
                            "channel: the peer's ring of %d bytes at 0x%x cannot be; remedy: use the same release on"
                                    + " both sides",
                            mine.ringBytes(), address),
                    e);
        }
    }
}
