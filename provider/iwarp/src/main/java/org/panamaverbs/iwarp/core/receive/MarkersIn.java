package org.panamaverbs.iwarp.core.receive;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.iwarp.wire.mpa.Markers;

/** The markers in what a peer sends, if it was asked for some: every 512 octets of the stream (RFC 5044 §4.3). */
final class MarkersIn {
    private final MemorySegment marker;
    private boolean on;
    private int collected;

    MarkersIn(Arena arena) {
        marker = arena.allocate(Markers.BYTES, 8);
    }

    void start(boolean withMarkers) {
        on = withMarkers;
    }

    boolean areOn() {
        return on;
    }

    /** Tells whether what comes at {@code position} of the stream is of a marker. */
    boolean isDue(long position) {
        return on && (collected > 0 || Markers.isDue(position));
    }

    /** Tells whether the octets so far end inside of a marker. */
    boolean isOpen() {
        return collected > 0;
    }

    /** Returns how many of {@code wanted} octets come before the next marker. */
    int runToNext(long position, int wanted) {
        if (!on) {
            return wanted;
        }
        return collected > 0 ? 0 : Math.min(wanted, Markers.bytesToNext(position));
    }

    /** Takes octets of a marker out of the {@code available} ones at {@code at}; returns how many. */
    int take(MemorySegment staging, int at, int available) {
        int run = Math.min(available, Markers.BYTES - collected);
        MemorySegment.copy(staging, at, marker, collected, run);
        collected += run;
        return run;
    }

    /** Tells whether a marker is whole; if so, the next octets are not of it. */
    boolean ends() {
        boolean whole = collected == Markers.BYTES;
        if (whole) {
            collected = 0;
        }
        return whole;
    }

    /** Tells whether the marker that has just ended points to an FPDU that begins {@code distance} octets before it. */
    boolean pointsBack(int distance) {
        // RFC 5044 §4.2: the two low bits of FPDUPTR are treated as zero.
        return (Markers.fpduPointer(marker, 0) & ~3) == distance;
    }
}
