package org.panamaverbs.spi.software;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;

/** A send request, valid while it is carried out: a holder that posts fill and reuse. */
public final class SendRequest {
    private static final int KNOWN_FLAGS = SendFlag.FENCE | SendFlag.SIGNALED | SendFlag.SOLICITED | SendFlag.INLINE;

    final SgEntries local;
    private final SgEntries remote = new SgEntries(1, 0);
    SendOpcode operation = SendOpcode.SEND;
    private boolean fits;
    long wrId;
    private int flags;
    private long remoteAddress;
    private int rkey;
    private long immediate;
    long compareOrAdd;
    long swap;
    long compareMask;
    long swapMask;

    /** Creates a place for any request that a queue pair of {@code config} takes. */
    SendRequest(QueuePairConfig config) {
        local = new SgEntries(config.maxSendSge(), config.maxInlineBytes());
    }

    /** Begins a request anew, by a method that takes such an operation if it {@code newFits}. */
    SendRequest begin(SendOpcode newOperation, boolean newFits, long newWrId, int newFlags) {
        operation = newOperation;
        fits = newFits;
        wrId = newWrId;
        flags = newFlags;
        return this;
    }

    /** Says where it goes. */
    SendRequest to(long newRemoteAddress, int newRkey, long newImmediate) {
        remoteAddress = newRemoteAddress;
        rkey = newRkey;
        immediate = newImmediate;
        return this;
    }

    /** Tells whether it can never be posted as it is, whatever the state of the queue pair. */
    boolean isMalformed() {
        return !fits
                || (flags & ~KNOWN_FLAGS) != 0
                || (has(SendFlag.INLINE) && !carriesPayload())
                || local.totalBytes() < 0
                || (operation == SendOpcode.IMMEDIATE && local.totalBytes() != 0);
    }

    private boolean carriesPayload() {
        return switch (operation) {
            case SEND, SEND_WITH_INVALIDATE, SEND_WITH_IMMEDIATE, RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> true;
            default -> false;
        };
    }

    /** Tells whether the peer's answer completes it, so that it counts among what is outstanding. */
    boolean isAnswered() {
        return switch (operation) {
            case RDMA_READ, FETCH_ADD, MASKED_FETCH_ADD, CMP_SWAP, MASKED_CMP_SWAP -> true;
            default -> false;
        };
    }

    /** Finds the memory that it names here; false if it may not be accessed so. */
    boolean resolveLocal(RegionTable table, ProtectionDomain domain) {
        return switch (operation) {
            case IMMEDIATE -> true;
            case RDMA_READ, FETCH_ADD, MASKED_FETCH_ADD, CMP_SWAP, MASKED_CMP_SWAP ->
                local.resolve(table, domain, Access.LOCAL_WRITE);
            default -> local.resolve(table, domain, null);
        };
    }

    /** Returns what a device must have for it, null if each has it. */
    @Nullable
    Feature feature() {
        return switch (operation) {
            case SEND, RDMA_WRITE, RDMA_READ -> null;
            case SEND_WITH_INVALIDATE -> Feature.SEND_WITH_INVALIDATE;
            case SEND_WITH_IMMEDIATE -> Feature.SEND_WITH_IMMEDIATE;
            case RDMA_WRITE_WITH_IMMEDIATE -> Feature.WRITE_WITH_IMMEDIATE;
            case IMMEDIATE -> Feature.STANDALONE_IMMEDIATE;
            case FETCH_ADD, CMP_SWAP -> Feature.ATOMICS;
            case MASKED_FETCH_ADD, MASKED_CMP_SWAP -> Feature.MASKED_ATOMICS;
            case LOCAL_INVALIDATE -> Feature.LOCAL_INVALIDATE;
            case BIND_WINDOW -> Feature.MEMORY_WINDOW_TYPE_1;
        };
    }

    /** Returns what its completion says. */
    WcOpcode completes() {
        return switch (operation) {
            case SEND, SEND_WITH_INVALIDATE, SEND_WITH_IMMEDIATE -> WcOpcode.SEND;
            case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> WcOpcode.RDMA_WRITE;
            case RDMA_READ -> WcOpcode.RDMA_READ;
            case IMMEDIATE -> WcOpcode.IMMEDIATE;
            case FETCH_ADD, MASKED_FETCH_ADD -> WcOpcode.FETCH_ADD;
            case CMP_SWAP, MASKED_CMP_SWAP -> WcOpcode.CMP_SWAP;
            case LOCAL_INVALIDATE -> WcOpcode.LOCAL_INVALIDATE;
            case BIND_WINDOW -> WcOpcode.BIND_WINDOW;
        };
    }

    /** Returns the operation. */
    public SendOpcode operation() {
        return operation;
    }

    /** Returns the requester's memory, which was checked before the request is carried out. */
    public SgEntries local() {
        return local;
    }

    /** Returns the responder's memory, as long as {@link #local()} and not checked yet. */
    public SgEntries remote() {
        remote.setOne(remoteAddress, local.totalBytes(), rkey);
        return remote;
    }

    /** Returns the immediate data. */
    public long immediate() {
        return immediate;
    }

    /** Returns the expected value or the addend of an atomic. */
    public long compareOrAdd() {
        return compareOrAdd;
    }

    /** Returns the bits that a CmpSwap compares, or the top bit of each field of a FetchAdd. */
    public long compareMask() {
        return compareMask;
    }

    /** Returns the new value of a CmpSwap. */
    public long swap() {
        return swap;
    }

    /** Returns the bits that a CmpSwap stores. */
    public long swapMask() {
        return swapMask;
    }

    /** Returns operation, length, remote address and key, for messages. */
    @Override
    public String toString() {
        return "%s of %d bytes at 0x%x under key 0x%08x".formatted(operation, local.totalBytes(), remoteAddress, rkey);
    }

    /** Returns whether the {@link SendFlag} is set. */
    public boolean has(int flag) {
        return (flags & flag) != 0;
    }
}
