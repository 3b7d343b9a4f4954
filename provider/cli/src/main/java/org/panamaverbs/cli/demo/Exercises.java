package org.panamaverbs.cli.demo;

import static org.panamaverbs.api.SendOpcode.SEND;
import static org.panamaverbs.api.SendOpcode.SEND_WITH_IMMEDIATE;
import static org.panamaverbs.api.SendOpcode.SEND_WITH_INVALIDATE;

import java.util.List;
import org.panamaverbs.cli.demo.Exercise.Form;

/** All operations of the demo, in the order of the table. */
final class Exercises {
    private static final int SMALL = 64;
    private static final int PAGE = 4096;

    private static final List<Exercise> ALL = List.of(
            SendExercise.plain("Send", SMALL),
            SendExercise.of("Send with SE", SMALL, SEND, true),
            SendExercise.of("Send with Invalidate", SMALL, SEND_WITH_INVALIDATE, false),
            SendExercise.of("Send with SE and Invalidate", SMALL, SEND_WITH_INVALIDATE, true),
            SendExercise.of("Send with Immediate", SMALL, SEND_WITH_IMMEDIATE, false),
            new SendExercise("Send, inline", SMALL, Form.INLINE, SEND, false),
            new SendExercise("Send, 3 pieces to 2", PAGE, Form.GATHERED, SEND, false),
            SendExercise.plain("Send, zero length", 0),
            SendExercise.plain("Send, 1 MiB", Endpoint.MAX_PAYLOAD),
            WriteExercise.plain("RDMA Write", SMALL),
            new WriteExercise("RDMA Write with Immediate", SMALL, Form.BUFFER, true),
            new WriteExercise("RDMA Write, inline", SMALL, Form.INLINE, false),
            new WriteExercise("RDMA Write, 3 pieces", PAGE, Form.GATHERED, false),
            WriteExercise.plain("RDMA Write, zero length", 0),
            WriteExercise.plain("RDMA Write, 1 MiB", Endpoint.MAX_PAYLOAD),
            new ImmediateExercise("Immediate Data", false),
            new ImmediateExercise("Immediate Data with SE", true),
            new ReadExercise("RDMA Read", SMALL),
            new ReadExercise("RDMA Read, zero length", 0),
            new ReadExercise("RDMA Read, 1 MiB", Endpoint.MAX_PAYLOAD),
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
