package org.panamaverbs.iwarp.shm;

import java.lang.foreign.MemorySegment;

/**
 * Says when the peer has to be woken: if it sleeps for what was published, and was not woken from that sleep already.
 * Belongs to the holder of the stream's lock.
 */
final class Doorbell {
    private final RingWriter writer;
    private final RingReader reader;
    private final MemorySegment peer;
    // What was published when the peer's sleep was last looked at.
    private long tail;
    private int end = RingLayout.OPEN;
    private long halves;
    // The sleep that the bell was last rung for; none has this number.
    private long rung = -1;
    private boolean atTail;

    Doorbell(RingWriter writer, RingReader reader, MemorySegment peer) {
        this.writer = writer;
        this.reader = reader;
        this.peer = peer;
    }

    /** Tells whether the bell is to be rung for what was published since the last call. */
    boolean mustRing() {
        boolean put = writer.tail() != tail || writer.ended() != end;
        boolean taken = reader.halves() != halves;
        return (put || taken) && mustRing(put, taken);
    }

    private boolean mustRing(boolean put, boolean taken) {
        boolean ended = writer.ended() != end;
        tail = writer.tail();
        end = writer.ended();
        halves = reader.halves();
        long sleep = RingLayout.sleepVolatile(peer);
        boolean forOctets = put && (sleep & RingLayout.SLEEPS_FOR_OCTETS) != 0;
        boolean forRoom = taken && (sleep & RingLayout.SLEEPS_FOR_ROOM) != 0 && reader.isHalfFree();
        long count = sleep >>> RingLayout.SLEEP_COUNT_SHIFT;
        if ((!forOctets && !forRoom) || count == rung) {
            return false;
        }
        rung = count;
        // An end does not change the tail, and a thread that waits for room does not sleep at the tail alone.
        atTail = sleep < 0 && !forRoom && !ended;
        return true;
    }

    /** Tells where the sleep is that {@link #mustRing} found: at this side's tail. */
    boolean isAtTail() {
        return atTail;
    }
}
