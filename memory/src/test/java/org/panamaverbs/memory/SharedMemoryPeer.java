package org.panamaverbs.memory;

import java.lang.foreign.ValueLayout;

/** The other process of {@link SharedMemoryTest}: opens the memory, checks the greeting, answers, adds to a counter. */
final class SharedMemoryPeer {
    static final long GREETING = 0x1122334455667788L;
    static final long ANSWER = 0x99AABBCCDDEEFF00L;
    static final int ROUNDS = 10_000;

    private SharedMemoryPeer() {}

    public static void main(String[] arguments) {
        try (MemorySlab slab = MemorySlab.openShared(Long.parseLong(arguments[0]), Integer.parseInt(arguments[1]))) {
            if (slab.segment().get(ValueLayout.JAVA_LONG, 0) != GREETING) {
                throw new IllegalStateException("no greeting");
            }
            slab.segment().set(ValueLayout.JAVA_LONG, 8, ANSWER);
            for (int i = 0; i < ROUNDS; i++) {
                MaskedAtomics.fetchAdd(slab.segment(), 16, 1, 1L << 63);
            }
            System.out.println("opened " + slab.bytes() + " bytes");
        }
    }
}
