package org.panamaverbs.cli.perf;

import java.util.List;
import java.util.stream.Stream;

/** Octets of a message that can be measured. */
final class MessageSizes {
    /** The largest: perftest's. */
    static final int MAX = 1 << 23;

    private MessageSizes() {}

    /** Returns every power of two from 2 to {@code largest}. */
    static List<Integer> upTo(int largest) {
        return Stream.iterate(2, size -> size <= largest, size -> size * 2).toList();
    }
}
