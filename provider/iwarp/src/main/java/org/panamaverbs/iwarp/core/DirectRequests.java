package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.memory.AccessCheck;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MaskedAtomics;
import org.panamaverbs.memory.access.FaultSafeMemory;

/**
 * Carries requests of the send queue out on memory of the peer that this side's processor reaches: Writes, Reads and
 * Atomics, with the effects that the peer's answers to their messages would have (RFC 5040 §5.5, RFC 7306 §5.1). What
 * fails on the way is left to be sent, which fails as it always does.
 */
final class DirectRequests {
    // The virtual machine stops no thread within a copy: others would wait for the end of a longer one.
    private static final long MOST_AT_ONCE = 1 << 20;

    /** Octets that are copied in the time that a request takes but for its copy. */
    public static final int REQUEST_WORK = 2048;

    private final SendRing sends;
    private final OutstandingRequests outstanding;
    private final Protection protection;
    private @Nullable PeerMemory peer;
    // For statistics, which read it on other threads, and who decides what to do next.
    private long count;
    private long work;

    public DirectRequests(SendRing sends, OutstandingRequests outstanding, Protection protection) {
        this.sends = sends;
        this.outstanding = outstanding;
        this.protection = protection;
    }

    /** Has requests be carried out on {@code memory} where that can be; null for none. */
    public void reach(@Nullable PeerMemory memory) {
        peer = memory;
    }

    /** Tells whether some memory is reached. */
    public boolean isReaching() {
        return peer != null;
    }

    /** Tells whether what is carried out now comes behind all that was sent. */
    public boolean isCaughtUp() {
        PeerMemory reached = peer;
        return reached != null && reached.isCaughtUp();
    }

    /** Returns how many requests were carried out. */
    public long count() {
        return count;
    }

    /** Returns how much work that was: octets, and {@value #REQUEST_WORK} a request. */
    public long work() {
        return work;
    }

    /** Carries the request at {@code slot} out; false if it is to be sent. */
    boolean carryOut(int slot) {
        PeerMemory reached = peer;
        if (reached == null) {
            return false;
        }
        return switch (sends.operation(slot)) {
            case RDMA_WRITE -> counted(write(reached, slot), sends.totalBytes(slot));
            case RDMA_READ -> read(slot);
            case FETCH_ADD, CMP_SWAP, MASKED_FETCH_ADD, MASKED_CMP_SWAP -> atomic(slot);
            default -> false;
        };
    }

    private boolean write(PeerMemory to, int slot) {
        long bytes = sends.totalBytes(slot);
        if (bytes == 0 || !to.enter(sends.rkey(slot), sends.remoteAddress(slot), bytes, Access.REMOTE_WRITE)) {
            return false;
        }
        try {
            if ((sends.flags(slot) & SendFlag.INLINE) != 0) {
                MemorySegment.copy(sends.inline(), sends.inlineOffset(slot), to.segment(), to.offset(), bytes);
                return true;
            }
            long done = 0;
            int first = sends.firstSge(slot);
            for (int at = first; at < first + sends.sgeCount(slot); at++) {
                if (!write(to, done, sends.sgeAddress(at), sends.sgeLength(at), sends.sgeLkey(at))) {
                    return false;
                }
                done += sends.sgeLength(at);
            }
            return true;
        } finally {
            to.leave();
        }
    }

    /** Carries out a Write of one piece, from 1 octet, that is not in the queue; false if it is to be put there. */
    public boolean write(long address, long bytes, int lkey, long remoteAddress, int rkey) {
        PeerMemory to = peer;
        if (to == null || !to.enter(rkey, remoteAddress, bytes, Access.REMOTE_WRITE)) {
            return false;
        }
        boolean done;
        try {
            done = write(to, 0, address, bytes, lkey);
        } finally {
            to.leave();
        }
        return counted(done, bytes);
    }

    /**
     * Carries out a Write of {@code bytes} of {@code data}, from 1, that is not in the queue; false if it is to be put
     * there, where it is said what is wrong with the data.
     */
    public boolean writeInline(MemorySegment data, long offset, long bytes, long remoteAddress, int rkey) {
        PeerMemory to = peer;
        if (to == null || !to.enter(rkey, remoteAddress, bytes, Access.REMOTE_WRITE)) {
            return false;
        }
        boolean done;
        try {
            done = FaultSafeMemory.copy(data.isMapped(), data, offset, to.segment(), to.offset(), bytes);
        } catch (RuntimeException e) {
            return false;
        } finally {
            to.leave();
        }
        return counted(done, bytes);
    }

    private boolean write(PeerMemory to, long skipped, long address, long bytes, int lkey) {
        for (long done = 0; done < bytes; done += MOST_AT_ONCE) {
            long some = Math.min(bytes - done, MOST_AT_ONCE);
            if (protection.enter(lkey, address + done, some, Protection.ANY) != AccessCheck.OK) {
                return false;
            }
            try {
                if (!protection.copyOut(0, to.segment(), to.offset() + skipped + done, some)) {
                    return false;
                }
            } finally {
                protection.leave();
            }
        }
        return true;
    }

    private boolean read(int slot) {
        long bytes = sends.totalBytes(slot);
        int at = sends.firstSge(slot);
        return bytes != 0
                && read(sends.sgeAddress(at), bytes, sends.sgeLkey(at), sends.remoteAddress(slot), sends.rkey(slot));
    }

    /** Carries out a Read, from 1 octet, that is not in the queue; false if it is to be put there. */
    public boolean read(long address, long bytes, int lkey, long remoteAddress, int rkey) {
        PeerMemory from = peer;
        if (from == null || outstanding.limit() == 0 || !from.enter(rkey, remoteAddress, bytes, Access.REMOTE_READ)) {
            return false;
        }
        try {
            for (long done = 0; done < bytes; done += MOST_AT_ONCE) {
                long some = Math.min(bytes - done, MOST_AT_ONCE);
                if (protection.enter(lkey, address + done, some, Access.LOCAL_WRITE) != AccessCheck.OK) {
                    return false;
                }
                try {
                    if (!protection.copyIn(from.segment(), from.offset() + done, some)) {
                        return false;
                    }
                } finally {
                    protection.leave();
                }
            }
        } finally {
            from.leave();
        }
        return counted(true, bytes);
    }

    private boolean counted(boolean done, long bytes) {
        if (done) {
            count++;
            work += bytes + REQUEST_WORK;
        }
        return done;
    }

    private boolean atomic(int slot) {
        int at = sends.firstSge(slot);
        return atomic(
                sends.operation(slot),
                sends.sgeAddress(at),
                sends.sgeLkey(at),
                sends.remoteAddress(slot),
                sends.rkey(slot),
                sends.immediate(slot),
                sends.swap(slot),
                sends.mask(slot),
                sends.swapMask(slot));
    }

    /** Carries out an Atomic that is not in the queue; false if it is to be put there. */
    public boolean atomic(
            SendOpcode operation,
            long address,
            int lkey,
            long remoteAddress,
            int rkey,
            long operand,
            long swap,
            long mask,
            long swapMask) {
        PeerMemory on = peer;
        if (on == null
                || outstanding.limit() == 0
                || protection.enter(lkey, address, Long.BYTES, Access.LOCAL_WRITE) != AccessCheck.OK) {
            return false;
        }
        boolean done;
        try {
            // Once it is carried out there must be a place for what was there before.
            if (!protection.isLasting() || !on.enter(rkey, remoteAddress, Long.BYTES, Access.REMOTE_ATOMIC)) {
                return false;
            }
            long before;
            try {
                before = carryOut(operation, on.segment(), on.offset(), operand, swap, mask, swapMask);
            } finally {
                on.leave();
            }
            done = protection.storeAndLeave(before);
        } finally {
            protection.leave();
        }
        return counted(done, Long.BYTES);
    }

    /** Carries an Atomic out, and returns the value before. */
    private static long carryOut(
            SendOpcode operation,
            MemorySegment segment,
            long offset,
            long operand,
            long swap,
            long mask,
            long swapMask) {
        return switch (operation) {
            case FETCH_ADD -> MaskedAtomics.fetchAdd(segment, offset, operand, 0);
            case MASKED_FETCH_ADD -> MaskedAtomics.fetchAdd(segment, offset, operand, mask);
            case CMP_SWAP -> MaskedAtomics.cmpSwap(segment, offset, operand, -1L, swap, -1L);
            default -> MaskedAtomics.cmpSwap(segment, offset, operand, mask, swap, swapMask);
        };
    }
}
