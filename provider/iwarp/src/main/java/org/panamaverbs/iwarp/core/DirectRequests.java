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
    /**
     * Octets that are copied under one claim. The owner waits for the end of one with taking the memory away, and the
     * virtual machine stops no thread within a copy.
     */
    public static final long PIECE = 1 << 20;

    // What others of the lock, and of the thread, wait for at most. A request that was begun goes on by the next pass.
    private static final long OCTETS_A_PASS = 2 * PIECE;

    /** Octets that are copied in the time that a request takes but for its copy. */
    public static final int REQUEST_WORK = 2048;

    private final SendRing sends;
    private final Protection protection;
    private @Nullable PeerMemory peer;
    // For statistics, which read it on other threads, and who decides what to do next.
    private long count;
    private long work;
    // So many octets of the request that is next are done, from one pass to the next one; 0 if it is not begun.
    private long carried;
    // So many octets may begin in the pass that is under way.
    private long left;

    public DirectRequests(SendRing sends, Protection protection) {
        this.sends = sends;
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

    /** Begins a pass. */
    void beginPass() {
        left = OCTETS_A_PASS;
    }

    /** Tells whether the pass has done enough. */
    boolean isPassOver() {
        return left <= 0;
    }

    /** Tells whether some of the request that is next is done, and not all. */
    boolean isUnderWay() {
        return carried != 0;
    }

    /** Forgets what is done of the request that is next. */
    void abandon() {
        carried = 0;
    }

    /**
     * Carries the request at {@code slot} out, or as much more of it as the pass takes, and then it
     * {@link #isUnderWay}; false if it is to be sent, from its beginning.
     */
    boolean carryOut(int slot) {
        PeerMemory reached = peer;
        if (reached == null) {
            return false;
        }
        SendOpcode operation = sends.operation(slot);
        if (operation == SendOpcode.RDMA_WRITE || operation == SendOpcode.RDMA_READ) {
            return transfer(reached, slot);
        }
        return operation.isAtomic() && atomic(slot);
    }

    private boolean transfer(PeerMemory with, int slot) {
        long bytes = sends.totalBytes(slot);
        boolean done = bytes != 0;
        // Inline data is one piece: the post has copied as much at once.
        long most = (sends.flags(slot) & SendFlag.INLINE) != 0 ? bytes : PIECE;
        while (done && carried < bytes && left > 0) {
            long some = Math.min(bytes - carried, most);
            done = transfer(with, slot, bytes, some);
            carried += some;
            left -= some;
        }
        if (!done || carried == bytes) {
            carried = 0;
            return counted(done, bytes);
        }
        return true;
    }

    /** Carries out {@code some} octets more of the request at {@code slot}; the right to all that is left is asked. */
    private boolean transfer(PeerMemory with, int slot, long bytes, long some) {
        boolean writes = sends.operation(slot) == SendOpcode.RDMA_WRITE;
        Access right = writes ? Access.REMOTE_WRITE : Access.REMOTE_READ;
        if (!with.enter(sends.rkey(slot), sends.remoteAddress(slot) + carried, bytes - carried, right)) {
            return false;
        }
        try {
            if (writes) {
                return gather(with, slot, some);
            }
            int at = sends.firstSge(slot);
            return copyIn(with, sends.sgeAddress(at) + carried, some, sends.sgeLkey(at));
        } finally {
            with.leave();
        }
    }

    private boolean gather(PeerMemory to, int slot, long some) {
        if ((sends.flags(slot) & SendFlag.INLINE) != 0) {
            MemorySegment.copy(sends.inline(), sends.inlineOffset(slot), to.segment(), to.offset(), some);
            return true;
        }
        int at = sends.firstSge(slot);
        long skipped = carried;
        for (; skipped >= sends.sgeLength(at); at++) {
            skipped -= sends.sgeLength(at);
        }
        for (long done = 0; done < some; at++) {
            long run = Math.min(some - done, sends.sgeLength(at) - skipped);
            if (run > 0 && !copyOut(to, done, sends.sgeAddress(at) + skipped, run, sends.sgeLkey(at))) {
                return false;
            }
            done += run;
            skipped = 0;
        }
        return true;
    }

    /**
     * Carries out a Write of one piece of memory, of 1 octet to {@link #PIECE}, that is not in the queue; false if it
     * is to be put there.
     */
    public boolean write(long address, long bytes, int lkey, long remoteAddress, int rkey) {
        PeerMemory to = peer;
        if (to == null || protection.announce(lkey, address, bytes, Protection.ANY) != AccessCheck.OK) {
            return false;
        }
        boolean done;
        try {
            if (!to.enter(rkey, remoteAddress, bytes, Access.REMOTE_WRITE)) {
                return false;
            }
            try {
                done = protection.isStillOpen() && protection.copyOut(0, to.segment(), to.offset(), bytes);
            } finally {
                to.leave();
            }
        } finally {
            protection.leave();
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

    private boolean copyOut(PeerMemory to, long skipped, long address, long bytes, int lkey) {
        if (protection.enter(lkey, address, bytes, Protection.ANY) != AccessCheck.OK) {
            return false;
        }
        try {
            return protection.copyOut(0, to.segment(), to.offset() + skipped, bytes);
        } finally {
            protection.leave();
        }
    }

    /** Carries out a Read, of 1 octet to {@link #PIECE}, that is not in the queue; false if it is to be put there. */
    public boolean read(long address, long bytes, int lkey, long remoteAddress, int rkey) {
        PeerMemory from = peer;
        if (from == null || protection.announce(lkey, address, bytes, Access.LOCAL_WRITE) != AccessCheck.OK) {
            return false;
        }
        boolean done;
        try {
            if (!from.enter(rkey, remoteAddress, bytes, Access.REMOTE_READ)) {
                return false;
            }
            try {
                done = protection.isStillOpen() && protection.copyIn(from.segment(), from.offset(), bytes);
            } finally {
                from.leave();
            }
        } finally {
            protection.leave();
        }
        return counted(done, bytes);
    }

    private boolean copyIn(PeerMemory from, long address, long bytes, int lkey) {
        if (protection.enter(lkey, address, bytes, Access.LOCAL_WRITE) != AccessCheck.OK) {
            return false;
        }
        try {
            return protection.copyIn(from.segment(), from.offset(), bytes);
        } finally {
            protection.leave();
        }
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
        if (on == null || protection.announce(lkey, address, Long.BYTES, Access.LOCAL_WRITE) != AccessCheck.OK) {
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
                if (!protection.isStillOpen()) {
                    return false;
                }
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
