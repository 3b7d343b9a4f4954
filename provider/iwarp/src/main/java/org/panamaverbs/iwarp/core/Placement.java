package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
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
    private @Nullable ReceiveSlot slot;
    private @Nullable Access right;
    private int stag;
    private long taggedOffset;
    private int piece;
    private long pieceOffset;
    private @Nullable ByteBuffer view;
    private MemorySegment viewSegment = MemorySegment.NULL;
    private long viewOffset;
    private AccessCheck refusal = AccessCheck.OK;
    private boolean aimed;

    Placement(Protection protection, ViewPool views) {
        this.protection = protection;
        this.views = views;
    }

    /** Places into the peer's target; a Write needs the right to write, the sink of a Read only the local one. */
    void tagged(int targetStag, long targetTo, boolean write) {
        aimed = true;
        slot = null;
        right = write ? Access.REMOTE_WRITE : LOCAL;
        stag = targetStag;
        taggedOffset = targetTo;
    }

    /** Places into {@code receive} from {@code offset} of the message. */
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

    /** Places nowhere: what comes is to be discarded. */
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
    boolean copy(MemorySegment source, long offset, int length) {
        int done = 0;
        while (done < length) {
            int run = enter(length - done);
            if (run < 0) {
                return false;
            }
            try {
                MemorySegment.copy(source, offset + done, protection.segment(), protection.offset(), run);
            } finally {
                protection.leave();
            }
            advance(run);
            done += run;
        }
        return true;
    }

    /**
     * Lends the memory of the next piece, at most {@code most} octets, to be written into until {@link #landed}; null
     * if refused.
     */
    @Nullable
    ByteBuffer lend(int most) {
        int run = enter(most);
        if (run < 0) {
            return null;
        }
        boolean lent = false;
        try {
            viewSegment = protection.segment();
            viewOffset = protection.offset();
            view = views.lend(viewSegment, viewOffset, run);
            lent = true;
        } finally {
            if (!lent) {
                protection.leave();
            }
        }
        return view;
    }

    /** Returns where index 0 of what was lent lies. */
    long base() {
        return ViewPool.base(viewSegment, viewOffset);
    }

    /** Says that {@code octets} were written into the memory that was lent. */
    void landed(int octets) {
        protection.leave();
        ByteBuffer lent = view;
        if (lent != null) {
            views.giveBack(lent, viewSegment, viewOffset);
            view = null;
            viewSegment = MemorySegment.NULL;
        }
        advance(octets);
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
