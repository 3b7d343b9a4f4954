package org.panamaverbs.cli.demo;

import static org.panamaverbs.api.SendOpcode.IMMEDIATE;
import static org.panamaverbs.api.SendOpcode.RDMA_READ;
import static org.panamaverbs.api.SendOpcode.RDMA_WRITE;
import static org.panamaverbs.api.SendOpcode.RDMA_WRITE_WITH_IMMEDIATE;
import static org.panamaverbs.api.SendOpcode.SEND;
import static org.panamaverbs.api.SendOpcode.SEND_WITH_IMMEDIATE;
import static org.panamaverbs.api.SendOpcode.SEND_WITH_INVALIDATE;

import java.util.List;
import org.panamaverbs.cli.demo.MessageExercise.Form;

/** All operations of the demo, in the order of the table. */
final class Exercises {
    private static final int SMALL = 64;
    private static final int PAGE = 4096;

    private static final List<Exercise> ALL = List.of(
            MessageExercise.of("Send", SMALL, SEND),
            MessageExercise.solicited("Send with SE", SMALL, SEND),
            MessageExercise.of("Send with Invalidate", SMALL, SEND_WITH_INVALIDATE),
            MessageExercise.solicited("Send with SE and Invalidate", SMALL, SEND_WITH_INVALIDATE),
            MessageExercise.of("Send with Immediate", SMALL, SEND_WITH_IMMEDIATE),
            MessageExercise.of("Send, inline", SMALL, SEND, Form.INLINE),
            MessageExercise.of("Send, 3 pieces to 2", PAGE, SEND, Form.GATHERED),
            MessageExercise.of("Send, zero length", 0, SEND),
            MessageExercise.of("Send, 1 MiB", Endpoint.MAX_PAYLOAD, SEND),
            MessageExercise.of("RDMA Write", SMALL, RDMA_WRITE),
            MessageExercise.of("RDMA Write with Immediate", SMALL, RDMA_WRITE_WITH_IMMEDIATE),
            MessageExercise.of("RDMA Write, inline", SMALL, RDMA_WRITE, Form.INLINE),
            MessageExercise.of("RDMA Write, 3 pieces", PAGE, RDMA_WRITE, Form.GATHERED),
            MessageExercise.of("RDMA Write, zero length", 0, RDMA_WRITE),
            MessageExercise.of("RDMA Write, 1 MiB", Endpoint.MAX_PAYLOAD, RDMA_WRITE),
            MessageExercise.of("Immediate Data", Long.BYTES, IMMEDIATE),
            MessageExercise.solicited("Immediate Data with SE", Long.BYTES, IMMEDIATE),
            MessageExercise.of("RDMA Read", SMALL, RDMA_READ),
            MessageExercise.of("RDMA Read, zero length", 0, RDMA_READ),
            MessageExercise.of("RDMA Read, 1 MiB", Endpoint.MAX_PAYLOAD, RDMA_READ),
            new AtomicExercise("FetchAdd", AtomicExercise.Kind.FETCH_ADD),
            new AtomicExercise("FetchAdd, masked", AtomicExercise.Kind.MASKED_FETCH_ADD),
            new AtomicExercise("CmpSwap", AtomicExercise.Kind.CMP_SWAP),
            new AtomicExercise("CmpSwap, masked", AtomicExercise.Kind.MASKED_CMP_SWAP),
            new AtomicExercise("Swap", AtomicExercise.Kind.SWAP),
            new WindowExercise("Bind Memory Window", false),
            new WindowExercise("Local Invalidate", true));

    private Exercises() {}

    static List<Exercise> all() {
        return ALL;
    }
}
