package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.iwarp.core.memory.AccessCheck;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.memory.access.FaultSafeMemory;
import org.panamaverbs.spi.support.WindowBinding;

/**
 * The send queue as the application sees it: checks work requests and puts them in line, as the methods of
 * {@link org.panamaverbs.api.SendQueue} of the same names. Nothing is transmitted inside. Past the end of a stream what
 * is posted is flushed at once.
 */
public final class SendCommands {
    private static final int PLAIN_FLAGS = SendFlag.FENCE | SendFlag.SIGNALED | SendFlag.SOLICITED;
    private static final int KNOWN_FLAGS = PLAIN_FLAGS | SendFlag.INLINE;
    private static final int RESULT_BYTES = Long.BYTES;

    private final SendRing ring;
    private final StreamConfig config;
    private final Protection protection;
    private final Completions completions;
    private final SgList single = SgList.ofCapacity(1);
    private StreamState state = StreamState.IDLE;
    // As agreed at set-up: how many Reads and Atomics may be outstanding.
    private int initiatorDepth;

    /**
     * Whether what is posted is withheld until {@link #publish()}; false at first. Who posts sets it with the lock of
     * the stream, and takes it back before the lock, so that a post that throws leaves nothing behind.
     */
    public boolean holds;

    public SendCommands(SendRing ring, StreamConfig config, Protection protection, Completions completions) {
        this.ring = ring;
        this.config = config;
        this.protection = protection;
        this.completions = completions;
    }

    /** Posts a request with one local piece; answers a {@link PostStatus}. */
    public int post(
            SendOpcode operation,
            long wrId,
            long address,
            long length,
            int lkey,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags) {
        if ((flags & SendFlag.INLINE) != 0) {
            int status = admitInline(operation, 1, length, flags);
            if (status != PostStatus.ACCEPTED) {
                return status;
            }
            single.clear().add(address, length, lkey);
            return postCopied(operation, wrId, single, remoteAddress, rkey, immediate, flags);
        }
        int status = admit(operation, 1, length, flags);
        if (status != PostStatus.ACCEPTED) {
            return status;
        }
        int slot = ring.begin(operation, wrId, remoteAddress, rkey, immediate, flags);
        if (operation != SendOpcode.IMMEDIATE) {
            ring.addSge(slot, address, length, lkey);
        }
        return commit(slot);
    }

    /** Posts a request with gathered pieces; answers a {@link PostStatus}. */
    public int post(
            SendOpcode operation, long wrId, SgList local, long remoteAddress, int rkey, long immediate, int flags) {
        if ((flags & SendFlag.INLINE) != 0) {
            int status = admitInline(operation, local.count(), local.totalBytes(), flags);
            return status == PostStatus.ACCEPTED
                    ? postCopied(operation, wrId, local, remoteAddress, rkey, immediate, flags)
                    : status;
        }
        int status = admit(operation, local.count(), local.totalBytes(), flags);
        if (status != PostStatus.ACCEPTED) {
            return status;
        }
        int slot = ring.begin(operation, wrId, remoteAddress, rkey, immediate, flags);
        if (operation != SendOpcode.IMMEDIATE) {
            ring.addAll(slot, local);
        }
        return commit(slot);
    }

    /** Posts a copy of {@code data}; answers a {@link PostStatus}. */
    public int postInline(
            SendOpcode operation,
            long wrId,
            MemorySegment data,
            long offset,
            long length,
            long remoteAddress,
            int rkey,
            long immediate,
            int flags) {
        Objects.checkFromIndexSize(offset, length, data.byteSize());
        int status = admitInline(operation, 1, length, flags);
        if (status != PostStatus.ACCEPTED) {
            return status;
        }
        int slot = ring.begin(operation, wrId, remoteAddress, rkey, immediate, flags | SendFlag.INLINE);
        if (!FaultSafeMemory.copy(data.isMapped(), data, offset, ring.inline(), ring.inlineOffset(slot), length)) {
            return PostStatus.INVALID;
        }
        ring.totalBytes(slot, length);
        return commit(slot);
    }

    /** Posts an atomic; answers a {@link PostStatus}. */
    public int postAtomic(
            SendOpcode operation,
            long wrId,
            long address,
            int lkey,
            long remoteAddress,
            int rkey,
            long compareOrAdd,
            long swap,
            long compareOrFieldMask,
            long swapMask,
            int flags) {
        boolean valid = operation.isAtomic() && (flags & ~PLAIN_FLAGS) == 0;
        int status = valid ? roomAtPeer() : PostStatus.INVALID;
        if (status != PostStatus.ACCEPTED) {
            return status;
        }
        int slot = ring.begin(operation, wrId, remoteAddress, rkey, compareOrAdd, flags);
        ring.operands(slot, swap, compareOrFieldMask, swapMask);
        ring.addSge(slot, address, RESULT_BYTES, lkey);
        return commit(slot);
    }

    /**
     * Posts the binding of {@code window} to what {@code asked} says of the memory under {@code lkey}; only for this
     * stream if {@code streamScoped}. Answers a {@link PostStatus}.
     */
    public int postBind(long wrId, Region window, boolean streamScoped, int lkey, WindowBinding asked, int flags) {
        int status = (flags & ~PLAIN_FLAGS) == 0 ? room() : PostStatus.INVALID;
        if (status != PostStatus.ACCEPTED) {
            return status;
        }
        int slot = ring.begin(SendOpcode.BIND_WINDOW, wrId, 0, asked.rkey(), streamScoped ? 1 : 0, flags);
        ring.bind(slot, window, asked.access());
        ring.addSge(slot, asked.taggedOffset(), asked.length(), lkey);
        return commit(slot);
    }

    /** Posts the invalidation of a window of this stream; answers a {@link PostStatus}. */
    public int postLocalInvalidate(long wrId, int stag, int flags) {
        int status = (flags & ~PLAIN_FLAGS) == 0 ? room() : PostStatus.INVALID;
        if (status != PostStatus.ACCEPTED) {
            return status;
        }
        int slot = ring.begin(SendOpcode.LOCAL_INVALIDATE, wrId, 0, stag, 0, flags);
        return commit(slot);
    }

    /** Tells whether there is a place for one more request that has none of {@code flags} but the plain ones. */
    public boolean takes(int flags) {
        return (flags & ~PLAIN_FLAGS) == 0 && placeOrFull() == PostStatus.ACCEPTED;
    }

    /** Returns how many Reads and Atomics may be outstanding, as agreed at set-up; 0 before. */
    int initiatorDepth() {
        return initiatorDepth;
    }

    /** Returns how many octets of inline data a request has at most. */
    public int maxInlineBytes() {
        return ring.maxInlineBytes();
    }

    /** Returns how many requests are withheld. */
    public int held() {
        return ring.held();
    }

    /** Lets the requests go that were withheld, and answers how many they were. */
    public int publish() {
        int count = ring.publish();
        flushIfOver();
        return count;
    }

    /** Returns what all that was let go weighs, see {@link SendRing#weight}. */
    public long weight() {
        return ring.weight();
    }

    /** Forgets the requests that were withheld. */
    public void discardHeld() {
        ring.discardHeld();
    }

    /** Hears that the stream starts, with what was {@code negotiated}. */
    void start(Negotiated negotiated) {
        initiatorDepth = negotiated.ord();
    }

    /** Hears of the stream's state. */
    public void onState(StreamState newState) {
        state = newState;
    }

    /**
     * Returns the first that stands against a transfer of {@code length} octets in {@code pieces}, none of them inline,
     * in the order of {@link PostStatus}.
     */
    private int admit(SendOpcode operation, int pieces, long length, int flags) {
        if (!operation.isTransfer()
                || (flags & ~PLAIN_FLAGS) != 0
                || length < 0
                || (operation == SendOpcode.IMMEDIATE && length != 0)) {
            return PostStatus.INVALID;
        }
        if (state == StreamState.IDLE) {
            return PostStatus.NOT_CONNECTED;
        }
        if (operation == SendOpcode.RDMA_READ && initiatorDepth == 0) {
            return PostStatus.NO_INITIATOR_DEPTH;
        }
        // RFC 5040 §4.4: a Read has one sink.
        if (pieces > 1 && (operation == SendOpcode.RDMA_READ || pieces > config.maxSendSge())) {
            return PostStatus.TOO_MANY_SEGMENTS;
        }
        return length > SgList.MAX_LENGTH ? PostStatus.MESSAGE_TOO_LONG : placeOrFull();
    }

    /** Returns the first that stands against a transfer of inline data, in the order of {@link PostStatus}. */
    private int admitInline(SendOpcode operation, int pieces, long length, int flags) {
        if (!operation.carriesPayload() || (flags & ~KNOWN_FLAGS) != 0 || length < 0) {
            return PostStatus.INVALID;
        }
        if (state == StreamState.IDLE) {
            return PostStatus.NOT_CONNECTED;
        }
        if (pieces > config.maxSendSge()) {
            return PostStatus.TOO_MANY_SEGMENTS;
        }
        return length > ring.maxInlineBytes() ? PostStatus.INLINE_TOO_LONG : placeOrFull();
    }

    private int room() {
        return state == StreamState.IDLE ? PostStatus.NOT_CONNECTED : placeOrFull();
    }

    private int roomAtPeer() {
        return state != StreamState.IDLE && initiatorDepth == 0 ? PostStatus.NO_INITIATOR_DEPTH : room();
    }

    private int placeOrFull() {
        int room = ring.room();
        if (room == PostStatus.ACCEPTED) {
            return room;
        }
        completions.release();
        return ring.room();
    }

    private int commit(int slot) {
        ring.commit(slot, holds);
        flushIfOver();
        return PostStatus.ACCEPTED;
    }

    private void flushIfOver() {
        if (state.flushesSends()) {
            completions.flushSends();
        }
    }

    // Inline data out of registered memory, which was admitted: the pieces are checked and copied now.
    private int postCopied(
            SendOpcode operation, long wrId, SgList local, long remoteAddress, int rkey, long immediate, int flags) {
        int slot = ring.begin(operation, wrId, remoteAddress, rkey, immediate, flags);
        long at = ring.inlineOffset(slot);
        for (int i = 0; i < local.count(); i++) {
            long length = local.length(i);
            if (length > 0) {
                if (protection.enter(local.lkey(i), local.address(i), length, Protection.ANY) != AccessCheck.OK) {
                    return PostStatus.INVALID;
                }
                try {
                    if (!protection.copyOut(0, ring.inline(), at, length)) {
                        return PostStatus.INVALID;
                    }
                } finally {
                    protection.leave();
                }
                at += length;
            }
        }
        ring.totalBytes(slot, local.totalBytes());
        return commit(slot);
    }
}
