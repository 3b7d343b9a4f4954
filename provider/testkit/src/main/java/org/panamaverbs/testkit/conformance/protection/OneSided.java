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
    WRITE,
    /** An RDMA Read of {@link #BYTES}. */
    READ,
    /** A FetchAdd. */
    FETCH_ADD,
    /** A CmpSwap. */
    CMP_SWAP,
    /** A Swap. */
    SWAP,
    /** Not one-sided: for refusals of Sends. */
    SEND;

    /** Bytes that each transfers. */
    static final int BYTES = 8;

    /** Returns what a device needs for it. */
    Feature[] features() {
        return switch (this) {
            case FETCH_ADD, CMP_SWAP -> new Feature[] {Feature.ATOMICS};
            case SWAP -> new Feature[] {Feature.MASKED_ATOMICS};
            case WRITE, READ, SEND -> new Feature[0];
        };
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
        RegisteredBuffer buffer = pair.a().buffer();
        long address = buffer.iova();
        int lkey = buffer.lkey();
        pair.a().put(0, Patterns.bytes(99, BYTES));
        return switch (this) {
            case WRITE ->
                link.qpA()
                        .post(WorkRequest.of(SendOpcode.RDMA_WRITE)
                                .wrId(wrId)
                                .local(address, length, lkey)
                                .remote(taggedOffset, rkey)
                                .flags(SIGNALED));
            case READ ->
                link.qpA()
                        .post(WorkRequest.of(SendOpcode.RDMA_READ)
                                .wrId(wrId)
                                .local(address + 4096, length, lkey)
                                .remote(taggedOffset, rkey)
                                .flags(SIGNALED));
            case FETCH_ADD ->
                link.qpA()
                        .post(WorkRequest.of(SendOpcode.FETCH_ADD)
                                .wrId(wrId)
                                .local(address + 4096, Long.BYTES, lkey)
                                .remote(taggedOffset, rkey)
                                .add(1)
                                .flags(SIGNALED));
            case CMP_SWAP ->
                link.qpA()
                        .post(WorkRequest.of(SendOpcode.CMP_SWAP)
                                .wrId(wrId)
                                .local(address + 4096, Long.BYTES, lkey)
                                .remote(taggedOffset, rkey)
                                .compareAndSwap(0x5A5A_5A5A_5A5A_5A5AL, 1)
                                .flags(SIGNALED));
            case SWAP ->
                link.qpA()
                        .post(WorkRequest.of(SendOpcode.MASKED_CMP_SWAP)
                                .wrId(wrId)
                                .local(address + 4096, Long.BYTES, lkey)
                                .remote(taggedOffset, rkey)
                                .compareAndSwap(0, 1)
                                .masks(0, -1L)
                                .flags(SIGNALED));
            case SEND -> throw new IllegalArgumentException("post a Send directly");
        };
    }
}
