package org.panamaverbs.cli.demo.exercise;

import static org.panamaverbs.cli.demo.exercise.Endpoint.PAYLOAD;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.Capabilities;

/** Where the initiator's data is. */
enum Form {
    /** In one piece of registered memory. */
    BUFFER,
    /** On the heap; the post copies it. */
    INLINE,
    /** In several pieces of registered memory. */
    GATHERED;

    boolean supported(Capabilities capabilities, long bytes) {
        return switch (this) {
            case BUFFER -> true;
            case INLINE -> capabilities.maxInlineBytes() >= bytes;
            case GATHERED -> capabilities.maxSge() >= 3;
        };
    }

    void load(Endpoint initiator, long bytes, long seed) {
        MemorySegment memory =
                this == INLINE ? initiator.heap() : initiator.data().segment();
        Pattern.fill(memory, PAYLOAD, bytes, seed);
    }
}
