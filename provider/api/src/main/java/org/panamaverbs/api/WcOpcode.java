package org.panamaverbs.api;

/** What a work completion completes, {@code enum ibv_wc_opcode}. Valid only when the status is success. */
public enum WcOpcode {
    /** A Send of any kind. */
    SEND,
    /** An RDMA Write, with or without immediate. */
    RDMA_WRITE,
    /** An RDMA Read. */
    RDMA_READ,
    /** An Immediate Data message of its own. */
    IMMEDIATE,
    /** A CmpSwap, masked or not. */
    CMP_SWAP,
    /** A FetchAdd, masked or not. */
    FETCH_ADD,
    /** An atomic write, {@link ExtendedSendQueue#atomicWrite}. */
    ATOMIC_WRITE,
    /** A flush, {@link ExtendedSendQueue#flush}. */
    FLUSH,
    /** A memory window was bound. */
    BIND_WINDOW,
    /** An STag was invalidated locally. */
    LOCAL_INVALIDATE,
    /**
     * A Send arrived. {@link WorkCompletion#hasImmediate()} tells whether it carried immediate data: then it had at
     * least one byte, or is a datagram.
     */
    RECV,
    /**
     * Immediate data arrived and the receive's buffers hold nothing, on every provider: by RDMA Write with immediate or
     * by {@link SendOpcode#IMMEDIATE}, which are the same on the wire of RFC 7306, or by a Send with immediate data of
     * 0 bytes, which is the same as the latter on InfiniBand and RoCE. {@link WorkCompletion#byteCount()} is what the
     * Write has written where the device reports it, else 0. In libibverbs these are {@code IBV_WC_RECV_RDMA_WITH_IMM},
     * and {@code IBV_WC_RECV} with {@code IBV_WC_WITH_IMM} and a {@code byte_len} of 0; on an extended completion queue
     * without {@link WcField#BYTE_COUNT} the latter cannot be told from others and are {@link #RECV}.
     */
    RECV_IMMEDIATE
}
