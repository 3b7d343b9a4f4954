package org.panamaverbs.iwarp.core.send;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.memory.AccessCheck;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.work.OutstandingRequests;
import org.panamaverbs.iwarp.core.work.SendRing;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MaskedAtomics;

/**
 * Carries requests of the send queue out on memory of the peer that this side's processor reaches: Writes, Reads and
 * Atomics, with the effects that the peer's answers to their messages would have (RFC 5040 §5.5, RFC 7306 §5.1). What
 * fails on the way is left to be sent, which fails as it always does.
 */
public final class DirectRequests {
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
    boolean isCaughtUp() {
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
        boolean done = switch (sends.operation(slot)) {
            case RDMA_WRITE -> write(reached, slot);
            case RDMA_READ -> read(reached, slot);
            case FETCH_ADD, CMP_SWAP, MASKED_FETCH_ADD, MASKED_CMP_SWAP -> atomic(reached, slot);
            default -> false;
        };
        if (done) {
            count++;
            work += sends.totalBytes(slot) + REQUEST_WORK;
        }
        return done;
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
                if (!write(to, done, at)) {
                    return false;
                }
                done += sends.sgeLength(at);
            }
            return true;
        } finally {
            to.leave();
        }
    }

    private boolean write(PeerMemory to, long skipped, int piece) {
        long bytes = sends.sgeLength(piece);
        for (long done = 0; done < bytes; done += MOST_AT_ONCE) {
            long some = Math.min(bytes - done, MOST_AT_ONCE);
            long from = sends.sgeAddress(piece) + done;
            if (protection.enter(sends.sgeLkey(piece), from, some, Protection.ANY) != AccessCheck.OK) {
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

    private boolean read(PeerMemory from, int slot) {
        long bytes = sends.totalBytes(slot);
        if (bytes == 0
                || outstanding.limit() == 0
                || !from.enter(sends.rkey(slot), sends.remoteAddress(slot), bytes, Access.REMOTE_READ)) {
            return false;
        }
        try {
            int at = sends.firstSge(slot);
            for (long done = 0; done < bytes; done += MOST_AT_ONCE) {
                long some = Math.min(bytes - done, MOST_AT_ONCE);
                long to = sends.sgeAddress(at) + done;
                if (protection.enter(sends.sgeLkey(at), to, some, Access.LOCAL_WRITE) != AccessCheck.OK) {
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
            return true;
        } finally {
            from.leave();
        }
    }

    private boolean atomic(PeerMemory on, int slot) {
        int at = sends.firstSge(slot);
        if (outstanding.limit() == 0
                || protection.enter(sends.sgeLkey(at), sends.sgeAddress(at), Long.BYTES, Access.LOCAL_WRITE)
                        != AccessCheck.OK) {
            return false;
        }
        try {
            // Once it is carried out there must be a place for what was there before.
            return protection.isLasting()
                    && on.enter(sends.rkey(slot), sends.remoteAddress(slot), Long.BYTES, Access.REMOTE_ATOMIC)
                    && protection.storeAndLeave(carryOut(on, slot));
        } finally {
            protection.leave();
        }
    }

    /** Carries an Atomic out, ends the access, and returns the value before. */
    private long carryOut(PeerMemory on, int slot) {
        try {
            SendOpcode operation = sends.operation(slot);
            long operand = sends.immediate(slot);
            return switch (operation) {
                case FETCH_ADD -> MaskedAtomics.fetchAdd(on.segment(), on.offset(), operand, 0);
                case MASKED_FETCH_ADD -> MaskedAtomics.fetchAdd(on.segment(), on.offset(), operand, sends.mask(slot));
                case CMP_SWAP -> MaskedAtomics.cmpSwap(on.segment(), on.offset(), operand, -1L, sends.swap(slot), -1L);
                default ->
                    MaskedAtomics.cmpSwap(
                            on.segment(),
                            on.offset(),
                            operand,
                            sends.mask(slot),
                            sends.swap(slot),
                            sends.swapMask(slot));
            };
        } finally {
            on.leave();
        }
    }
}
