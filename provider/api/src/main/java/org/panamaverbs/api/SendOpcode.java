package org.panamaverbs.api;

import org.panamaverbs.api.ext.ExtendedSendQueue;

/**
 * The operation of a send work request, {@code enum ibv_wr_opcode}, with the methods that post it:
 *
 * <table>
 *   <caption>Operations by opcode</caption>
 *   <tr><th>opcode<th>named method of {@link SendQueue}<th>libibverbs
 *   <tr><td>{@link #SEND}<td>{@code send}, {@code sendInline}<td>{@code IBV_WR_SEND}
 *   <tr><td>{@link #SEND_WITH_INVALIDATE}<td>{@code sendWithInvalidate}<td>{@code IBV_WR_SEND_WITH_INV}
 *   <tr><td>{@link #SEND_WITH_IMMEDIATE}<td>{@code sendWithImmediate}<td>{@code IBV_WR_SEND_WITH_IMM}
 *   <tr><td>{@link #RDMA_WRITE}<td>{@code write}, {@code writeInline}<td>{@code IBV_WR_RDMA_WRITE}
 *   <tr><td>{@link #RDMA_WRITE_WITH_IMMEDIATE}<td>{@code writeWithImmediate}<td>{@code IBV_WR_RDMA_WRITE_WITH_IMM}
 *   <tr><td>{@link #RDMA_READ}<td>{@code read}<td>{@code IBV_WR_RDMA_READ}
 *   <tr><td>{@link #IMMEDIATE}<td>{@code immediate}<td>{@code IBV_WR_SEND_WITH_IMM}
 *   <tr><td>{@link #FETCH_ADD}<td>{@code fetchAdd}<td>{@code IBV_WR_ATOMIC_FETCH_AND_ADD}
 *   <tr><td>{@link #CMP_SWAP}<td>{@code cmpSwap}, {@code swap}<td>{@code IBV_WR_ATOMIC_CMP_AND_SWP}
 *   <tr><td>{@link #MASKED_FETCH_ADD}<td>{@code maskedFetchAdd}<td>-
 *   <tr><td>{@link #MASKED_CMP_SWAP}<td>{@code maskedCmpSwap}<td>-
 *   <tr><td>{@link #LOCAL_INVALIDATE}<td>{@code localInvalidate}<td>{@code IBV_WR_LOCAL_INV}
 *   <tr><td>{@link #BIND_WINDOW}<td>{@code bind}<td>{@code IBV_WR_BIND_MW}
 *   <tr><td>atomic write<td>{@link ExtendedSendQueue#atomicWrite}<td>{@code IBV_WR_ATOMIC_WRITE}
 *   <tr><td>flush<td>{@link ExtendedSendQueue#flush}<td>{@code IBV_WR_FLUSH}
 *   <tr><td>datagram<td>{@link DatagramSendQueue#postDatagram}<td>{@code IBV_WR_SEND} with {@code wr.ud}
 * </table>
 *
 * <p>Each is posted at once by a {@link QueuePair}, or collected in its {@link Batch}; a {@link WorkRequest} of the
 * opcode is the general form. What a device or a type of queue pair lacks throws {@link UnsupportedOperationException}.
 *
 * <p>Values may be added: switches need a default.
 */
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
