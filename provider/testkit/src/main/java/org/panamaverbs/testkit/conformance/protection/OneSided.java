package org.panamaverbs.testkit.conformance.protection;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Posts;
import org.panamaverbs.testkit.random.Patterns;

/** Operations on the peer's memory, posted with raw keys and addresses so that nothing is refused at the requester. */
enum OneSided {
    /** An RDMA Write of {@link #BYTES}. */
    WRITE(SendOpcode.RDMA_WRITE),
    /** An RDMA Read of {@link #BYTES}. */
    READ(SendOpcode.RDMA_READ),
    /** A FetchAdd of 1. */
    FETCH_ADD(SendOpcode.FETCH_ADD),
    /** A CmpSwap that expects a pattern. */
    CMP_SWAP(SendOpcode.CMP_SWAP),
    /** A Swap. */
    SWAP(SendOpcode.MASKED_CMP_SWAP),
    /** Not one-sided: for refusals of Sends. */
    SEND(SendOpcode.SEND);

    /** Bytes that each transfers. */
    static final int BYTES = 8;

    private final SendOpcode operation;

    OneSided(SendOpcode operation) {
        this.operation = operation;
    }

    /** Returns what a device needs for it. */
    Feature[] features() {
        return operation.features().toArray(Feature[]::new);
    }

    /** Posts the operation, signaled, from A over the pair's first connection. */
    void post(ConnectedPair pair, long wrId, int rkey, long taggedOffset) {
        post(pair, pair.link(), wrId, rkey, taggedOffset);
    }

    /**
     * Posts the operation, signaled, from A over {@code link}; a Write takes a pattern from the start of A's buffer.
     */
    void post(ConnectedPair pair, Link link, long wrId, int rkey, long taggedOffset) {
        post(pair, link, wrId, BYTES, rkey, taggedOffset);
    }

    /** Posts the operation with another length, which must be 8 for atomics. */
    void post(ConnectedPair pair, Link link, long wrId, long length, int rkey, long taggedOffset) {
        Posts.accepted(status(pair, link, wrId, length, rkey, taggedOffset));
    }

    /** Posts the operation and returns what posting answers. */
    int status(ConnectedPair pair, Link link, long wrId, long length, int rkey, long taggedOffset) {
        if (this == SEND) {
            throw new IllegalArgumentException("post a Send directly");
        }
        RegisteredBuffer buffer = pair.a().buffer();
        pair.a().put(0, Patterns.bytes(99, BYTES));
        WorkRequest request = WorkRequest.of(operation)
                .wrId(wrId)
                .local(buffer.iova() + (operation.isAnswered() ? 4096 : 0), length, buffer.lkey())
                .remote(taggedOffset, rkey)
                .flags(SIGNALED);
        switch (this) {
            case FETCH_ADD -> request.add(1);
            case CMP_SWAP -> request.compareAndSwap(0x5A5A_5A5A_5A5A_5A5AL, 1);
            case SWAP -> request.compareAndSwap(0, 1).masks(0, -1L);
            default -> {}
        }
        return link.qpA().post(request);
    }
}
