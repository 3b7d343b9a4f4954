package org.panamaverbs.cli.demo.exercise;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities;

/** The immediate data of a round. */
final class Immediate {
    private static final int SALT = 99;

    private Immediate() {}

    /** Returns what to send: as many octets as the device carries. */
    static long of(Capabilities capabilities, long seed) {
        long value = Pattern.mix(seed, SALT);
        return capabilities.immediateBytes() >= Long.BYTES ? value : value & 0xFFFF_FFFFL;
    }

    /** Returns null if {@code arrival} brought the round's immediate data, else what differs. */
    static @Nullable String difference(Capabilities capabilities, Arrival arrival, long seed) {
        if (!arrival.hasImmediate()) {
            return "no immediate data arrived";
        }
        long expected = of(capabilities, seed);
        return arrival.immediate() == expected
                ? null
                : "immediate data 0x%x, not 0x%x".formatted(arrival.immediate(), expected);
    }
}
