package org.panamaverbs.api;

/** The operation of a send work request, {@code enum ibv_wr_opcode}. */
public enum SendOpcode {
    /** Send; with {@link SendFlag#SOLICITED}, Send with Solicited Event (RFC 5040 §5.3). */
    SEND,
    /** Send that invalidates an rkey of the peer on delivery (RFC 5040 §5.3). */
    SEND_WITH_INVALIDATE,
    /** Send with immediate data in the same message (InfiniBand, RoCE). */
    SEND_WITH_IMMEDIATE,
    /** RDMA Write (RFC 5040 §5.1). */
    RDMA_WRITE,
    /** RDMA Write followed by Immediate Data (RFC 7306 §6); one message on InfiniBand and RoCE. */
    RDMA_WRITE_WITH_IMMEDIATE,
    /** RDMA Read (RFC 5040 §5.2). */
    RDMA_READ,
    /** Immediate data alone (RFC 7306 §6); on InfiniBand and RoCE a Send with immediate data of 0 bytes. */
    IMMEDIATE,
    /** FetchAdd on 64 bits (RFC 7306 §5.1.1). */
    FETCH_ADD,
    /** CmpSwap on 64 bits (RFC 7306 §5.1.2). */
    CMP_SWAP,
    /** FetchAdd on several fields of 64 bits, whose mask stops carries between them (RFC 7306 §5.1.1). */
    MASKED_FETCH_ADD,
    /** CmpSwap with compare and swap masks (RFC 7306 §5.1.2). */
    MASKED_CMP_SWAP,
    /** Invalidates an rkey of this side. */
    LOCAL_INVALIDATE,
    /** Binds a memory window. */
    BIND_WINDOW
}
