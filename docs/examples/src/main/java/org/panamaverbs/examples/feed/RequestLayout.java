package org.panamaverbs.examples.feed;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** What a subscriber tells the publisher over its channel: what it wants, and from which update on, 8 bytes each. */
final class RequestLayout {
    static final int BYTES = 16;

    /** It has joined the group, and the feed may begin. */
    static final long READY = 1;

    /** It has missed updates, from one on, and wants them again: up to {@link #MOST}. */
    static final long REPEAT = 2;

    /** It has everything. */
    static final long DONE = 3;

    /** How many updates one reply brings at most. */
    static final int MOST = 64;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private RequestLayout() {}

    static void put(MemorySegment memory, long at, long kind, long from) {
        memory.set(LONG, at, kind);
        memory.set(LONG, at + Long.BYTES, from);
    }

    static long kind(MemorySegment memory, long at) {
        return memory.get(LONG, at);
    }

    static long from(MemorySegment memory, long at) {
        return memory.get(LONG, at + Long.BYTES);
    }
}
