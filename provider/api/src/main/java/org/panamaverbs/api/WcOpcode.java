package org.panamaverbs.api;

import org.panamaverbs.api.ext.ExtendedSendQueue;

/**
 * The operation that a work completion reports, {@code enum ibv_wc_opcode}. Valid only if the status is success. Values
 * may be added: switches need a default.
 */
public enum WcOpcode {
    /** A Send of any kind ({@code IBV_WC_SEND}). */
    SEND(false),
    /** An RDMA Write, with or without immediate data ({@code IBV_WC_RDMA_WRITE}). */
    RDMA_WRITE(false),
    /** An RDMA Read ({@code IBV_WC_RDMA_READ}). */
    RDMA_READ(true),
    /** Immediate data alone, {@link SendOpcode#IMMEDIATE}. */
    IMMEDIATE(false),
    /** A CmpSwap, masked or not ({@code IBV_WC_COMP_SWAP}). */
    CMP_SWAP(true),
    /** A FetchAdd, masked or not ({@code IBV_WC_FETCH_ADD}). */
    FETCH_ADD(true),
    /** An atomic write, {@link ExtendedSendQueue#atomicWrite} ({@code IBV_WC_ATOMIC_WRITE}). */
    ATOMIC_WRITE(false),
    /** A flush, {@link ExtendedSendQueue#flush} ({@code IBV_WC_FLUSH}). */
    FLUSH(false),
    /** A bind of a memory window ({@code IBV_WC_BIND_MW}). */
    BIND_WINDOW(false),
    /** An invalidation of an rkey of this side ({@code IBV_WC_LOCAL_INV}). */
    LOCAL_INVALIDATE(false),
    /**
     * A Send arrived. If it carried immediate data ({@link WorkCompletion#hasImmediate()}), it had at least one byte or
     * is a datagram ({@code IBV_WC_RECV}).
     */
    RECV(true),
    /**
     * Immediate data arrived, and the buffers of the receive hold nothing. The same on every provider for:
     *
     * <ul>
     *   <li>an RDMA Write with immediate data, {@code IBV_WC_RECV_RDMA_WITH_IMM}; {@link WorkCompletion#byteCount()} is
     *       the length of the Write if the device reports it, otherwise 0
     *   <li>{@link SendOpcode#IMMEDIATE}, which RFC 7306 does not distinguish from the former on the wire
     *   <li>a Send with immediate data of 0 bytes, which InfiniBand and RoCE do not distinguish from the latter:
     *       {@code IBV_WC_RECV} with {@code IBV_WC_WITH_IMM} and {@code byte_len} 0. An extended completion queue
     *       without {@link WcField#BYTE_COUNT} reports it as {@link #RECV}
     * </ul>
     *
     * <p>{@link WorkCompletion#bySend()} distinguishes the first from the others where the device does.
     */
    RECV_IMMEDIATE(true);

    private final boolean bytes;

    WcOpcode(boolean bytes) {
        this.bytes = bytes;
    }

    /** Returns whether {@link WorkCompletion#byteCount()} counts bytes that arrived; else it is 0. */
    public boolean hasByteCount() {
        return bytes;
    }
}
