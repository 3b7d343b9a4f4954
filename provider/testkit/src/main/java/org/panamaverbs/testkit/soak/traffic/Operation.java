package org.panamaverbs.testkit.soak.traffic;

import java.util.EnumSet;
import java.util.Set;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.soak.ledger.Tally.Count;

/** What a line does at random. */
enum Operation {
    SEND(Count.SENDS, true, false),
    INLINE_SEND(Count.INLINE_SENDS, true, false),
    WRITE(Count.WRITES, false, false),
    WRITE_WITH_IMMEDIATE(Count.WRITES_WITH_IMMEDIATE, true, false),
    IMMEDIATE(Count.IMMEDIATES, true, false),
    READ(Count.READS, false, false),
    FETCH_ADD(Count.FETCH_ADDS, false, true),
    CMP_SWAP(Count.CMP_SWAPS, false, true),
    MASKED_FETCH_ADD(Count.MASKED_ATOMICS, false, true),
    SWAP(Count.MASKED_ATOMICS, false, true);

    private final Count count;
    private final boolean message;
    private final boolean atomic;

    Operation(Count count, boolean message, boolean atomic) {
        this.count = count;
        this.message = message;
        this.atomic = atomic;
    }

    /** Returns how it is counted. */
    Count count() {
        return count;
    }

    /** Tells whether it takes a receive of the peer. */
    boolean isMessage() {
        return message;
    }

    /** Tells whether it is an atomic operation. */
    boolean isAtomic() {
        return atomic;
    }

    /** Returns the operations that a device with {@code capabilities} has. */
    static Set<Operation> of(Capabilities capabilities) {
        Set<Operation> possible = EnumSet.of(SEND, INLINE_SEND, WRITE, READ);
        if (capabilities.has(Feature.WRITE_WITH_IMMEDIATE)) {
            possible.add(WRITE_WITH_IMMEDIATE);
        }
        if (capabilities.has(Feature.STANDALONE_IMMEDIATE)) {
            possible.add(IMMEDIATE);
        }
        if (capabilities.has(Feature.ATOMICS)) {
            possible.addAll(EnumSet.of(FETCH_ADD, CMP_SWAP));
        }
        if (capabilities.has(Feature.MASKED_ATOMICS)) {
            possible.addAll(EnumSet.of(MASKED_FETCH_ADD, SWAP));
        }
        return possible;
    }
}
