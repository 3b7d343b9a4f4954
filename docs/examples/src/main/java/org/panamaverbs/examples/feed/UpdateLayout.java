package org.panamaverbs.examples.feed;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** An update, as it is in the history and in all messages: its number, counted from 0, and its price, 8 bytes each. */
final class UpdateLayout {
    static final int BYTES = 16;

    /** In the place of a price: there is no update of this number yet, all before it were published. */
    static final long HEARTBEAT = Long.MIN_VALUE;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private UpdateLayout() {}

    static void put(MemorySegment memory, long at, long number, long price) {
        memory.set(LONG, at, number);
        memory.set(LONG, at + Long.BYTES, price);
    }

    static long number(MemorySegment memory, long at) {
        return memory.get(LONG, at);
    }

    static long price(MemorySegment memory, long at) {
        return memory.get(LONG, at + Long.BYTES);
    }

    /** Returns the price that update {@code number} has: both sides know it here, so that a wrong one is noticed. */
    static long rightPrice(long number) {
        return 10_000 + number * 7919 % 1_000;
    }
}
