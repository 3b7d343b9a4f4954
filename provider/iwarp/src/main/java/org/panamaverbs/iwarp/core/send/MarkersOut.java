package org.panamaverbs.iwarp.core.send;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.iwarp.wire.mpa.Markers;

/** The markers in what this side sends, if the peer wants some: every 512 octets of the stream (RFC 5044 §4.3). */
final class MarkersOut {
    // As negotiated; set when the stream starts.
    private boolean on;
    // Where in the stream the open FPDU began; counts while one is open.
    private long fpduPosition;
    private boolean fpduOpen;

    void start(boolean withMarkers) {
        on = withMarkers;
    }

    boolean areOn() {
        return on;
    }

    /** An FPDU ends here: a marker before the next one belongs to none. */
    void betweenFpdus() {
        fpduOpen = false;
    }

    /** An FPDU begins at {@code position} of the stream. */
    void open(long position) {
        fpduPosition = position;
        fpduOpen = true;
    }

    /** Tells whether a marker comes at {@code position} of the stream. */
    boolean isDue(long position) {
        return on && Markers.isDue(position);
    }

    /** Writes the marker at {@code position} of the stream, which points back to the open FPDU. */
    void emit(MemorySegment segment, int offset, long position) {
        Markers.emit(segment, offset, fpduOpen ? (int) (position - fpduPosition) : 0);
    }

    /** Returns how many of {@code wanted} octets come before the next marker. */
    int runToNext(long position, int wanted) {
        return on ? Math.min(wanted, Markers.SPACING - (int) (position & Markers.SPACING - 1)) : wanted;
    }

    /** Returns how many markers {@code payload} octets may need. */
    int most(int payload) {
        return on ? payload / Markers.DATA_BETWEEN + 2 : 0;
    }
}
