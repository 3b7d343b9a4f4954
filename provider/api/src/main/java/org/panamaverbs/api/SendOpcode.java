package org.panamaverbs.api;

import static org.panamaverbs.api.device.Capabilities.Feature.ATOMICS;
import static org.panamaverbs.api.device.Capabilities.Feature.MASKED_ATOMICS;
import static org.panamaverbs.api.device.Capabilities.Feature.MEMORY_WINDOW_TYPE_1;
import static org.panamaverbs.api.device.Capabilities.Feature.MEMORY_WINDOW_TYPE_2;
import static org.panamaverbs.api.device.Capabilities.Feature.STANDALONE_IMMEDIATE;
import static org.panamaverbs.api.device.Capabilities.Feature.WRITE_WITH_IMMEDIATE;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.ExtendedSendQueue;
import org.panamaverbs.memory.Access;

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
    SEND(Form.SEND, WcOpcode.SEND),
    /** Send that invalidates an rkey of the peer on delivery (RFC 5040 §5.3). */
    SEND_WITH_INVALIDATE(Form.SEND, WcOpcode.SEND, Feature.SEND_WITH_INVALIDATE),
    /** Send with immediate data in the same message (InfiniBand, RoCE). */
    SEND_WITH_IMMEDIATE(Form.SEND, WcOpcode.SEND, Feature.SEND_WITH_IMMEDIATE),
    /** RDMA Write (RFC 5040 §5.1). */
    RDMA_WRITE(Form.WRITE, WcOpcode.RDMA_WRITE),
    /** RDMA Write followed by Immediate Data (RFC 7306 §6); one message on InfiniBand and RoCE. */
    RDMA_WRITE_WITH_IMMEDIATE(Form.WRITE, WcOpcode.RDMA_WRITE, WRITE_WITH_IMMEDIATE),
    /** RDMA Read (RFC 5040 §5.2). */
    RDMA_READ(Form.READ, WcOpcode.RDMA_READ),
    /** Immediate data alone (RFC 7306 §6); on InfiniBand and RoCE a Send with immediate data of 0 bytes. */
    IMMEDIATE(Form.IMMEDIATE, WcOpcode.IMMEDIATE, STANDALONE_IMMEDIATE),
    /** FetchAdd on 64 bits (RFC 7306 §5.1.1). */
    FETCH_ADD(Form.ATOMIC, WcOpcode.FETCH_ADD, ATOMICS),
    /** CmpSwap on 64 bits (RFC 7306 §5.1.2). */
    CMP_SWAP(Form.ATOMIC, WcOpcode.CMP_SWAP, ATOMICS),
    /** FetchAdd on several fields of 64 bits, whose mask stops carries between them (RFC 7306 §5.1.1). */
    MASKED_FETCH_ADD(Form.ATOMIC, WcOpcode.FETCH_ADD, MASKED_ATOMICS),
    /** CmpSwap with compare and swap masks (RFC 7306 §5.1.2). */
    MASKED_CMP_SWAP(Form.ATOMIC, WcOpcode.CMP_SWAP, MASKED_ATOMICS),
    /** Invalidates an rkey of this side. */
    LOCAL_INVALIDATE(Form.LOCAL, WcOpcode.LOCAL_INVALIDATE, Feature.LOCAL_INVALIDATE),
    /** Binds a memory window; the device must have the type of the window. */
    BIND_WINDOW(Form.LOCAL, WcOpcode.BIND_WINDOW, MEMORY_WINDOW_TYPE_1, MEMORY_WINDOW_TYPE_2);

    /** What the request of an operation holds, and where it is carried out. */
    private enum Form {
        SEND(null),
        WRITE(Access.REMOTE_WRITE),
        IMMEDIATE(null),
        READ(Access.REMOTE_READ),
        ATOMIC(Access.REMOTE_ATOMIC),
        LOCAL(null);

        final @Nullable Access remote;

        Form(@Nullable Access remote) {
            this.remote = remote;
        }
    }

    private final WcOpcode completion;
    private final @Nullable Access remote;
    private final boolean payload;
    private final boolean answered;
    private final boolean atomic;
    private final boolean local;

    @SuppressWarnings("ImmutableEnumChecker") // nobody can change the set
    private final Set<Feature> features;

    SendOpcode(Form form, WcOpcode completion, Feature... features) {
        this.completion = completion;
        remote = form.remote;
        payload = form == Form.SEND || form == Form.WRITE;
        answered = form == Form.READ || form == Form.ATOMIC;
        atomic = form == Form.ATOMIC;
        local = form == Form.LOCAL;
        EnumSet<Feature> needed = EnumSet.noneOf(Feature.class);
        needed.addAll(Arrays.asList(features));
        this.features = Collections.unmodifiableSet(needed);
    }

    /** Returns what {@link WorkCompletion#opcode()} says when it has succeeded. */
    public WcOpcode completion() {
        return completion;
    }

    /**
     * Returns the features of which a device must have one, none if each device has the operation. Unmodifiable.
     *
     * @see org.panamaverbs.api.device.Capabilities#has(SendOpcode)
     */
    public Set<Feature> features() {
        return features;
    }

    /** Returns the right that the peer must have granted to its memory, null if the operation names none of it. */
    public @Nullable Access remoteAccess() {
        return remote;
    }

    /** Returns whether it carries a payload to the peer, which may be inline: Sends and Writes. */
    public boolean carriesPayload() {
        return payload;
    }

    /** Returns whether it carries immediate data to the peer. */
    public boolean carriesImmediate() {
        return this == SEND_WITH_IMMEDIATE || this == RDMA_WRITE_WITH_IMMEDIATE || this == IMMEDIATE;
    }

    /** Returns whether it is a Send, a Write, a Read or {@link #IMMEDIATE}: neither an atomic nor local. */
    public boolean isTransfer() {
        return !atomic && !local;
    }

    /**
     * Returns whether the peer's answer completes it and fills local memory: Reads and atomics, of which at most
     * {@link QueuePairAttributes.Field#MAX_RD_ATOMIC} are outstanding.
     */
    public boolean isAnswered() {
        return answered;
    }

    /** Returns whether it is an atomic operation on 64 bits of the peer's memory. */
    public boolean isAtomic() {
        return atomic;
    }

    /** Returns whether it stays on this side: the peer sees nothing of it. */
    public boolean isLocal() {
        return local;
    }
}
