package org.panamaverbs.sockets.rsocket;

/**
 * The messages of rsockets: 32 bits, of which the upper three are the type and the others a value ({@code rs_msg_set}
 * of rdma-core's {@code librdmacm/rsocket.c}).
 *
 * <pre>
 *  type 0 DATA    value: bytes that were written before, 1 and more
 *  type 4 SGL     value: the limit of credits, 16 bits; an entry of the table may have been written before
 *  type 6 IOMAP   value: the index of the iomap entry that was written before
 *  type 7 CTRL    value: 0 DISCONNECT, 1 keepalive (C's name of a Write of no bytes, and never sent), 2 SHUTDOWN
 * </pre>
 */
public final class Message {
    /** Bytes of a message that is sent as payload, as on iWARP; little-endian, since C sends its own order. */
    public static final int BYTES = Integer.BYTES;

    /** The peer neither sends nor takes anything any more. */
    public static final int DISCONNECT = 0xe0000000;
    /** The peer sends nothing any more. */
    public static final int SHUTDOWN = 0xe0000002;

    static final int TYPE_DATA = 0;
    static final int TYPE_SGL = 4;
    static final int TYPE_IOMAP = 6;
    static final int TYPE_CTRL = 7;

    private static final int TYPE_SHIFT = 29;
    private static final int VALUE_MASK = (1 << TYPE_SHIFT) - 1;
    private static final int LIMIT_MASK = 0xffff;

    private Message() {}

    /** Returns the message that {@code bytes} bytes were written, 1 to 2^29-1. */
    static int data(int bytes) {
        return bytes;
    }

    /** Returns the message that raises the limit of credits to the lower 16 bits of {@code limit}. */
    static int sgl(long limit) {
        return (TYPE_SGL << TYPE_SHIFT) | ((int) limit & LIMIT_MASK);
    }

    /** Returns the message that iomap entry {@code index}, 0 to 2^29-1, was written. */
    static int iomap(int index) {
        return (TYPE_IOMAP << TYPE_SHIFT) | index;
    }

    static int type(int message) {
        return message >>> TYPE_SHIFT;
    }

    static int value(int message) {
        return message & VALUE_MASK;
    }

    static int limit(int message) {
        return message & LIMIT_MASK;
    }
}
