package org.panamaverbs.cli.demo;

import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletion;

/** A copy of a successful work completion. */
record Arrival(
        long wrId,
        WcOpcode opcode,
        long byteCount,
        boolean hasImmediate,
        long immediate,
        boolean hasInvalidatedRkey,
        int invalidatedRkey) {

    static Arrival of(WorkCompletion completion) {
        return new Arrival(
                completion.wrId(),
                completion.opcode(),
                completion.byteCount(),
                completion.hasImmediate(),
                completion.immediate(),
                completion.hasInvalidatedRkey(),
                completion.invalidatedRkey());
    }
}
