package org.panamaverbs.cli.perf;

import java.util.List;
import java.util.stream.Stream;

/** Bytes of a message that can be measured. */
final class MessageSizes {
    /** The largest of {@code -a}, as perftest has it, and of a server that was not told to have room for more. */
    static final int USUAL = 1 << 23;
    /** The largest of all: perftest's. */
    static final int MAX = Integer.MAX_VALUE;

    private MessageSizes() {}

    /** Returns every power of two from 2 to {@code largest}, which is {@link #USUAL} or less. */
    static List<Integer> upTo(int largest) {
        return Stream.iterate(2, size -> size <= largest, size -> size * 2).toList();
    }
}
