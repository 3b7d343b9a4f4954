package org.panamaverbs.examples.feed;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * The publisher's last updates. Datagrams are sent from here, too: a slot is filled again only when its datagram has
 * left.
 */
final class History {
    /** A power of two, more than datagrams are under way. */
    static final int SLOTS = 1 << 16;

    static final int BYTES = SLOTS * UpdateLayout.BYTES;

    private final RegisteredBuffer memory;
    private long next;

    History(RegisteredBuffer memory) {
        this.memory = memory;
    }

    /** Returns the number that the next update has. */
    long next() {
        return next;
    }

    /** Adds an update; returns where it lies. */
    long add(long price) {
        long at = offset(next);
        UpdateLayout.put(memory.segment(), at, next, price);
        next++;
        return at;
    }

    /** Returns how many updates it has from {@code number} on, at most {@code most}; 0 if the first is gone. */
    int count(long number, int most) {
        return number < Math.max(0, next - SLOTS) ? 0 : Math.clamp(next - number, 0, most);
    }

    /** Copies {@code count} updates from {@code number} on to {@code to}. */
    void copy(long number, int count, MemorySegment to, long at) {
        for (int i = 0; i < count; i++) {
            MemorySegment.copy(
                    memory.segment(), offset(number + i), to, at + (long) i * UpdateLayout.BYTES, UpdateLayout.BYTES);
        }
    }

    private static long offset(long number) {
        return number % SLOTS * UpdateLayout.BYTES;
    }
}
