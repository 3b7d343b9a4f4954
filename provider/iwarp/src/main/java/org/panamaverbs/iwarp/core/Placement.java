package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.AccessCheck;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.RegionViews;
import org.panamaverbs.iwarp.core.memory.ViewPool;
import org.panamaverbs.iwarp.wire.FpduCrc;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.memory.Access;

/**
 * Where the payload of the segment at hand lands: in one tagged buffer, or over the pieces of a receive. Every piece is
 * checked and pinned anew, for one copy or one system call (RFC 5041 §7.1, RFC 5040 §8.1.1).
 */
final class Placement {
    private static final @Nullable Access LOCAL = Access.LOCAL_WRITE;

    private final Protection protection;
    private final ViewPool views;
    // Whether the segment at hand has a target at all; what is not aimed is thrown away.
    private boolean aimed;
    // The right that its memory must give.
    private @Nullable Access right;
    // The target of an untagged segment, null for a tagged one: a receive, and how far into which of its pieces.
    private @Nullable ReceiveSlot slot;
    private int piece;
    private long pieceOffset;
    // The target of a tagged segment, or the piece of the receive that is next.
    private int stag;
    private long taggedOffset;
    // What is lent for one system call, and by whom, from lend to landed.
    private @Nullable ByteBuffer view;
    private @Nullable RegionViews lender;
    // The answer to the last check.
    private AccessCheck refusal = AccessCheck.OK;

    public Placement(Protection protection, ViewPool views) {
        this.protection = protection;
        this.views = views;
    }

    /**
     * Places the payload into the peer's target; a Write needs the right to write, the sink of a Read only the local
     * one.
     */
    public void tagged(int targetStag, long targetTo, boolean write) {
        aimed = true;
        slot = null;
        right = write ? Access.REMOTE_WRITE : LOCAL;
        stag = targetStag;
        taggedOffset = targetTo;
    }

    /** Places the payload into {@code receive} from {@code offset} of the message. */
    void untagged(ReceiveSlot receive, long offset) {
        aimed = true;
        slot = receive;
        right = LOCAL;
        piece = 0;
        pieceOffset = offset;
        while (piece < receive.count && pieceOffset >= receive.length[piece]) {
            pieceOffset -= receive.length[piece++];
        }
    }

    /** Places the payload nowhere: what comes is to be discarded. */
    void nowhere() {
        aimed = false;
        slot = null;
    }

    /** Tells whether there is a place. */
    boolean isAimed() {
        return aimed;
    }

    /** Enters the next piece, at most {@code most} octets; answers how many, or -1 if access is refused. */
    private int enter(int most) {
        ReceiveSlot receive = slot;
        int run = most;
        if (receive != null) {
            while (piece < receive.count && pieceOffset >= receive.length[piece]) {
                piece++;
                pieceOffset = 0;
            }
            if (piece == receive.count) {
                refusal = AccessCheck.BOUNDS;
                return -1;
            }
            stag = receive.lkey[piece];
            taggedOffset = receive.address[piece] + pieceOffset;
            run = (int) Math.min(most, receive.length[piece] - pieceOffset);
        }
        refusal = aimed ? protection.enter(stag, taggedOffset, run, right) : AccessCheck.INVALID_STAG;
        return refusal == AccessCheck.OK ? run : -1;
    }

    private void advance(int octets) {
        if (slot != null) {
            pieceOffset += octets;
        } else {
            taggedOffset += octets;
        }
    }

    /** Copies {@code length} octets; false if access is refused on the way. */
    public boolean copy(MemorySegment source, long offset, int length) {
        int done = 0;
        while (done < length) {
            int run = enter(length - done);
            if (run < 0) {
                return false;
            }
            boolean copied;
            try {
                copied = protection.copyIn(source, offset + done, run);
            } finally {
                protection.leave();
            }
            if (!copied) {
                refusal = protection.failure(stag, taggedOffset, run, right);
                return false;
            }
            advance(run);
            done += run;
        }
        return true;
    }

    /**
     * Lends the memory of the next piece, at most {@code most} octets, to be written into until {@link #landed}; null
     * if that {@link #isRefused}, or the memory takes copies only.
     */
    @Nullable
    public ByteBuffer lend(int most) {
        int run = enter(most);
        if (run < 0) {
            return null;
        }
        boolean lent = false;
        try {
            if (!protection.mayVanish()) {
                lender = views.of(protection.region(), protection.offset());
                view = lender.lend(protection.offset(), run);
                lent = true;
            }
        } finally {
            if (!lent) {
                protection.leave();
            }
        }
        return view;
    }

    /** Tells whether the last access was refused. */
    boolean isRefused() {
        return refusal != AccessCheck.OK;
    }

    /** Returns where index 0 of what was lent lies, as {@link RegionViews#memory} does. */
    MemorySegment memory() {
        RegionViews from = lender;
        return from == null ? MemorySegment.NULL : from.memory();
    }

    /**
     * Says that {@code octets} from position {@code start} were written into the memory that was lent, and counts them
     * in {@code crc}; false if its owner has closed it, so that they cannot be counted.
     */
    public boolean landed(FpduCrc crc, int start, int octets) {
        ByteBuffer lent = view;
        try {
            if (lent != null) {
                crc.add(lent, start, octets);
            }
            return true;
        } catch (IllegalStateException e) {
            if (protection.region().isAlive()) {
                throw e;
            }
            crc.giveUp();
            return false;
        } finally {
            // In every case: others wait until nobody is in it.
            release();
            advance(octets);
        }
    }

    /** Lets go of the memory that is entered or lent, if there is some. */
    void release() {
        protection.leave();
        ByteBuffer lent = view;
        RegionViews from = lender;
        if (lent != null && from != null) {
            from.giveBack(lent);
        }
        view = null;
        lender = null;
    }

    /** Returns the code for the refusal: the peer's fault for a Write, ours otherwise. */
    TerminateCode refusalCode() {
        return right == Access.REMOTE_WRITE ? Protection.taggedCode(refusal) : TerminateCode.RDMAP_LOCAL_CATASTROPHIC;
    }

    /** Tells whether memory of this side's own work request was refused. */
    boolean refusedLocally() {
        return right != Access.REMOTE_WRITE;
    }
}
