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
    /** A Send arrived; {@link WorkCompletion#hasImmediate()} tells whether it carried immediate data. */
    RECV,
    /**
     * Immediate data arrived, by RDMA Write with immediate or of its own: on the wire of RFC 7306 the two are the same.
     * The receive's buffers hold nothing.
     */
    RECV_IMMEDIATE
}
