package org.panamaverbs.testkit.soak.traffic;

import java.util.EnumSet;
import java.util.Set;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.testkit.soak.ledger.Tally.Count;

/** What a line does at random. */
enum Operation {
    SEND(SendOpcode.SEND, Count.SENDS),
    INLINE_SEND(SendOpcode.SEND, Count.INLINE_SENDS),
    WRITE(SendOpcode.RDMA_WRITE, Count.WRITES),
    WRITE_WITH_IMMEDIATE(SendOpcode.RDMA_WRITE_WITH_IMMEDIATE, Count.WRITES_WITH_IMMEDIATE),
    IMMEDIATE(SendOpcode.IMMEDIATE, Count.IMMEDIATES),
    READ(SendOpcode.RDMA_READ, Count.READS),
    FETCH_ADD(SendOpcode.FETCH_ADD, Count.FETCH_ADDS),
    CMP_SWAP(SendOpcode.CMP_SWAP, Count.CMP_SWAPS),
    MASKED_FETCH_ADD(SendOpcode.MASKED_FETCH_ADD, Count.MASKED_ATOMICS),
    SWAP(SendOpcode.MASKED_CMP_SWAP, Count.MASKED_ATOMICS);

    private final SendOpcode opcode;
    private final Count count;

    Operation(SendOpcode opcode, Count count) {
        this.opcode = opcode;
        this.count = count;
    }

    /** Returns how it is counted. */
    Count count() {
        return count;
    }

    /** Tells whether it takes a receive of the peer. */
    boolean isMessage() {
        return opcode == SendOpcode.SEND || opcode.carriesImmediate();
    }

    /** Tells whether it is an atomic operation. */
    boolean isAtomic() {
        return opcode.isAtomic();
    }

    /** Returns the operations that a device with {@code capabilities} has. */
    static Set<Operation> of(Capabilities capabilities) {
        Set<Operation> possible = EnumSet.allOf(Operation.class);
        possible.removeIf(operation -> !capabilities.has(operation.opcode));
        return possible;
    }
}
