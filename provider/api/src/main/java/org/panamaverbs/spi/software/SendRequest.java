package org.panamaverbs.spi.software;

import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
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
                || (has(SendFlag.INLINE) && !operation.carriesPayload())
                || local.totalBytes() < 0
                || (operation == SendOpcode.IMMEDIATE && local.totalBytes() != 0);
    }

    /** Finds the memory that it names here; false if it may not be accessed so. */
    boolean resolveLocal(RegionTable table, ProtectionDomain domain) {
        return operation == SendOpcode.IMMEDIATE
                || local.resolve(table, domain, operation.isAnswered() ? Access.LOCAL_WRITE : null);
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
