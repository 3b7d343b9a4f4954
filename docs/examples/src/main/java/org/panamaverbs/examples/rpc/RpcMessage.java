package org.panamaverbs.examples.rpc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** A call: its number and what to square, 8 bytes each. A reply: the same number, and the square. */
final class RpcMessage {
    static final int BYTES = 16;

    /** How many replies of one connection may be on their way; a client has one call under way. */
    static final int REPLIES = 4;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private RpcMessage() {}

    static void put(MemorySegment message, long number, long value) {
        message.set(LONG, 0, number);
        message.set(LONG, Long.BYTES, value);
    }

    static long number(MemorySegment messages, long at) {
        return messages.get(LONG, at);
    }

    static long value(MemorySegment messages, long at) {
        return messages.get(LONG, at + Long.BYTES);
    }
}
