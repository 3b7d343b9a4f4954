package org.panamaverbs.iwarp.shm;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The words beside two rings by which one side reaches into the memory of the other: what of the stream is done with,
 * who may, and who does. Each side may do both. Belongs to the holder of the stream's lock, but for {@link #claimed}.
 *
 * <p>Who reaches stores a claim and then looks whether it still may; who takes that away does so and then looks at the
 * claim. There is a full fence between either side's two steps, so that one of them sees the other.
 */
public final class ReachWords {
    private final MemorySegment own;
    private final MemorySegment peer;
    private final RingWriter writer;
    private final RingReader reader;
    // Up to here the peer was seen to have done with all.
    private long allPlaced;
    private boolean asked;

    ReachWords(RingFiles files, RingWriter writer, RingReader reader) {
        own = files.own();
        peer = files.peer();
        this.writer = writer;
        this.reader = reader;
    }

    // ---- who is reached into --------------------------------------------------------------------------------------

    /** Says that all is done with the bytes that were taken out of the peer's ring. */
    public void publishPlaced() {
        reader.publishPlaced();
    }

    /** Lets the peer in, for the queue pair {@code number} and what {@code rights} say; a fence follows. */
    public void admit(int number, int rights) {
        RingLayout.publishAdmission(own, number, rights);
        VarHandle.fullFence();
    }

    /** Lets the peer in no longer; a fence follows. */
    public void dismiss() {
        RingLayout.publishAdmission(own, 0, 0);
        VarHandle.fullFence();
    }

    /** Returns what the peer accesses now, 0 for nothing; any thread. */
    public long claimed() {
        return RingLayout.claimAcquire(peer);
    }

    /** Returns what the peer asks for: a number, 0 before the first time. */
    public long wanted() {
        return RingLayout.wantAcquire(peer);
    }

    // ---- who reaches ----------------------------------------------------------------------------------------------

    /** Tells whether the peer has done with all that was put into this side's ring. */
    public boolean isAllPlaced() {
        long tail = writer.tail();
        if (tail != allPlaced) {
            if (RingLayout.placedAcquire(peer) != tail) {
                return false;
            }
            allPlaced = tail;
        }
        return true;
    }

    /** Says what is accessed from now on; a fence follows. */
    public void claim(long entry) {
        RingLayout.publishClaim(own, entry);
        VarHandle.fullFence();
    }

    /** Returns whom and what the peer lets in, which {@link RingLayout#admits} and {@link RingLayout#rights} tell. */
    public long admission() {
        return RingLayout.admissionAcquire(peer);
    }

    /** Says that nothing is accessed any more; behind all accesses. */
    public void release() {
        RingLayout.publishClaim(own, 0);
    }

    /** Asks the peer for something by {@code number}, which is not that of the last time. */
    public void want(long number) {
        asked = true;
        RingLayout.publishWant(own, number);
    }

    /** Tells whether either side has asked the other for something. */
    boolean areAsked() {
        return asked || wanted() != 0;
    }
}
