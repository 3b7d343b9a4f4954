package org.panamaverbs.iwarp.core.send;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.ShortCopy;
import org.panamaverbs.iwarp.core.memory.ViewPool;
import org.panamaverbs.iwarp.core.send.BufferPool.Slab;
import org.panamaverbs.iwarp.core.send.BufferPool.Snapshot;
import org.panamaverbs.iwarp.wire.Crc32c;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Markers;

/**
 * The gather list of one batch of FPDUs: headers, trailers and small payload in a slab, larger payload in place. Puts
 * in length, pad, markers and CRC (RFC 5044 §4). A batch is built, handed out until it is written, then cleared.
 */
public final class Gather {
    /** Payload up to here is copied into the slab; above it is sent from where it is. */
    static final int COPY_BYTES = 256;

    // Below it an FPDU of copies is put off to the next batch.
    private static final int MIN_SLAB_PAYLOAD = 1024;
    // Headers, pads and CRCs of an FPDU and of the Immediate Data behind it, with room to spare.
    private static final int HEADERS_BYTES = 256;
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);
    private static final ByteBuffer[] NO_VIEWS = {};

    private final BufferPool pool;
    // Lent from the pool while there is a batch.
    private @Nullable Slab lent;
    private MemorySegment slab = MemorySegment.NULL;
    private MemorySegment slabStart = MemorySegment.NULL;
    private ByteBuffer[] slabViews = NO_VIEWS;
    private ByteBuffer slabWhole = NOTHING;
    // Up to where the open FPDU's octets in the slab count in its CRC: one update for all that lie together.
    private int crcUpTo;
    private final GatherList list;
    // Copies of payload that may change while it is sent; lent from the pool while the batch has some.
    private @Nullable Snapshot snapshot;
    private int snapshotUsed;
    private int markSnapshotUsed;
    // Nothing more goes into this batch: the slab is used up by copies.
    private boolean full;
    private final Crc32c crc = new Crc32c();

    private boolean crcOn;
    private boolean markersOn;
    private int slabUsed;
    private int slabEntryStart;
    private long batchBytes;
    // Octets of the stream so far, from the first marker position (RFC 5044 §4.3).
    private long position;
    private long fpduPosition;
    private boolean fpduOpen;
    private int ulpduLength;
    // Where the open FPDU began, to go back there.
    private int markCount;
    private int markSlabUsed;
    private int markSlabEntryStart;
    private long markBatchBytes;
    private long markPosition;

    public Gather(ViewPool views, BufferPool pool) {
        this.pool = pool;
        list = new GatherList(GatherList.MAX_ENTRIES, views);
    }

    /** Says what was negotiated. */
    void start(boolean withCrc, boolean withMarkers) {
        crcOn = withCrc;
        markersOn = withMarkers;
    }

    // A stream that has nothing to send holds no memory for it.
    private void borrow() {
        if (lent == null) {
            Slab taken = pool.takeSlab();
            lent = taken;
            slab = taken.memory;
            slabStart = taken.start;
            slabViews = taken.views;
            slabWhole = taken.whole;
        }
    }

    private void giveSlabBack() {
        Slab taken = lent;
        if (taken != null) {
            lent = null;
            slab = MemorySegment.NULL;
            slabStart = MemorySegment.NULL;
            slabViews = NO_VIEWS;
            slabWhole = NOTHING;
            pool.giveBack(taken);
        }
    }

    /** Tells whether one more FPDU of {@code payload} octets fits, of which {@code copied} may be copied in runs. */
    boolean hasRoom(int payload, int pieces, int copied) {
        if (full || snapshotUsed + payload > BufferPool.SNAPSHOT_BYTES) {
            return false;
        }
        int markers = markersOn ? payload / Markers.DATA_BETWEEN + 2 : 0;
        // Markers cut a piece into runs; its first and last may be short enough to be copied.
        int shortRuns = (markersOn ? 2 : 1) * pieces * COPY_BYTES;
        int slabNeed = HEADERS_BYTES + markers * Markers.BYTES + Math.max(shortRuns, copied);
        return BufferPool.SLAB_BYTES - slabUsed >= slabNeed
                && GatherList.MAX_ENTRIES - list.count() >= 2 * (pieces + markers) + 4;
    }

    /** Returns the longest payload of one FPDU that an empty batch takes. */
    int maxPayload() {
        return markersOn ? 16 * 1024 : Fpdu.MAX_MULPDU;
    }

    /**
     * Returns how much payload one more FPDU takes that is all copied into the slab, at most {@code wanted}; 0 if it is
     * better put off, after {@link #close}.
     */
    int slabPayload(int wanted) {
        int room = BufferPool.SLAB_BYTES - slabUsed - 2 * HEADERS_BYTES;
        int payload = markersOn ? room / Markers.SPACING * Markers.DATA_BETWEEN : room;
        if (payload >= wanted) {
            return wanted;
        }
        return payload < MIN_SLAB_PAYLOAD ? 0 : payload & ~3;
    }

    /** Takes no more FPDUs into this batch. */
    void close() {
        full = true;
    }

    /** Begins an FPDU. */
    void beginFpdu(int length) {
        borrow();
        markCount = list.count();
        markSlabUsed = slabUsed;
        markSnapshotUsed = snapshotUsed;
        markSlabEntryStart = slabEntryStart;
        markBatchBytes = batchBytes;
        markPosition = position;
        crc.reset();
        crcUpTo = slabUsed;
        ulpduLength = length;
        fpduOpen = false;
        markerIfDue();
        fpduPosition = position;
        fpduOpen = true;
        // FPDUs and markers begin at multiples of 4: none cuts the length, the pad or the CRC.
        Fpdu.emitLength(slab, slabUsed, length);
        grew(Fpdu.LENGTH_BYTES);
    }

    /** Appends the {@code length} octets of the headers of the FPDU, at the start of {@code headers}. */
    void appendHeaders(MemorySegment headers, int length) {
        if (!markersOn && length <= ShortCopy.BYTES) {
            ShortCopy.copy(headers, 0, slab, slabUsed);
            grew(length);
        } else {
            append(headers, 0, length);
        }
    }

    /** Appends a copy of {@code length} octets. */
    void append(MemorySegment source, long offset, int length) {
        int done = 0;
        while (done < length) {
            markerIfDue();
            int run = run(length - done);
            copy(source, offset + done, run);
            done += run;
        }
    }

    private void copy(MemorySegment source, long offset, int run) {
        MemorySegment.copy(source, offset, slab, slabUsed, run);
        grew(run);
    }

    private void grew(int octets) {
        slabUsed += octets;
        position += octets;
        batchBytes += octets;
    }

    /** Appends {@code length} octets of the region that {@code access} has entered; leaves it. */
    Appended appendPayload(Protection access, int length, int stag) {
        return access.mayVanish() ? appendCopied(access, length) : appendInPlace(access, length, stag);
    }

    /**
     * Appends {@code length} octets of the region that {@code access} has entered, which others may change at any time;
     * leaves it. With a CRC they are copied first, so that the CRC fits what is sent.
     */
    Appended appendVolatile(Protection access, int length, int stag) {
        return crcOn ? appendCopied(access, length) : appendPayload(access, length, stag);
    }

    private Appended appendInPlace(Protection access, int length, int stag) {
        MemorySegment segment = access.segment();
        long offset = access.offset();
        Region region = access.take();
        try {
            int done = 0;
            while (done < length) {
                markerIfDue();
                int run = run(length - done);
                if (run <= COPY_BYTES) {
                    copy(segment, offset + done, run);
                } else {
                    appendView(region, stag, offset + done, run);
                }
                done += run;
            }
            return Appended.DONE;
        } catch (IllegalStateException e) {
            if (segment.scope().isAlive()) {
                throw e;
            }
            return Appended.GONE;
        } finally {
            region.unpin();
        }
    }

    private Appended appendCopied(Protection access, int length) {
        Snapshot target = null;
        int start = snapshotUsed;
        try {
            if (length > COPY_BYTES) {
                if (snapshot == null) {
                    snapshot = pool.takeSnapshot();
                }
                target = snapshot;
            }
            if (target == null) {
                return copyIntoSlab(access, length);
            }
            if (!access.copyOut(0, target.memory, start, length)) {
                return Appended.GONE;
            }
        } finally {
            access.leave();
        }
        snapshotUsed += length;
        int done = 0;
        while (done < length) {
            markerIfDue();
            int run = run(length - done);
            appendOwn(target, start + done, run);
            done += run;
        }
        return Appended.DONE;
    }

    private Appended copyIntoSlab(Protection access, int length) {
        int markers = markersOn ? (length / Markers.DATA_BETWEEN + 2) * Markers.BYTES : 0;
        if (length + markers > BufferPool.SLAB_BYTES - slabUsed - HEADERS_BYTES) {
            return Appended.TOO_MUCH;
        }
        int done = 0;
        while (done < length) {
            markerIfDue();
            int run = run(length - done);
            if (!access.copyOut(done, slab, slabUsed, run)) {
                return Appended.GONE;
            }
            grew(run);
            done += run;
        }
        return Appended.DONE;
    }

    private void updateCrc() {
        if (crcOn && slabUsed > crcUpTo) {
            crc.update(slabWhole, crcUpTo, slabUsed - crcUpTo);
        }
        crcUpTo = slabUsed;
    }

    private void appendView(Region region, int stag, long offset, int run) {
        updateCrc();
        closeSlabEntry();
        count(list.addView(region, stag, offset, run), run);
    }

    private void appendOwn(Snapshot from, int start, int run) {
        updateCrc();
        closeSlabEntry();
        ByteBuffer view = from.view(list.count(), start, run);
        list.add(view, from.start);
        count(view, run);
    }

    private void count(ByteBuffer view, int run) {
        if (crcOn) {
            int start = view.position();
            crc.update(view, start, run);
            view.position(start);
        }
        position += run;
        batchBytes += run;
    }

    /** Forgets the FPDU that was begun. */
    void abandonFpdu() {
        list.truncate(markCount);
        full = false;
        slabUsed = markSlabUsed;
        snapshotUsed = markSnapshotUsed;
        slabEntryStart = markSlabEntryStart;
        batchBytes = markBatchBytes;
        position = markPosition;
    }

    /** Ends the FPDU: pad and CRC. */
    void endFpdu() {
        grew(Fpdu.emitPad(slab, slabUsed, ulpduLength));
        // RFC 5044 §4.3: a marker due after the pad stands before the CRC and is covered by it.
        markerIfDue();
        updateCrc();
        if (crcOn) {
            crc.emit(slab, slabUsed);
        } else {
            slab.set(ValueLayout.JAVA_INT_UNALIGNED, slabUsed, 0);
        }
        grew(Fpdu.CRC_BYTES);
    }

    private void markerIfDue() {
        if (markersOn && Markers.isDue(position)) {
            Markers.emit(slab, slabUsed, fpduOpen ? (int) (position - fpduPosition) : 0);
            grew(Markers.BYTES);
        }
    }

    private int run(int wanted) {
        return markersOn ? Math.min(wanted, Markers.SPACING - (int) (position & Markers.SPACING - 1)) : wanted;
    }

    private void closeSlabEntry() {
        if (slabUsed > slabEntryStart) {
            ByteBuffer view = slabViews[list.count()];
            list.add(view.limit(slabUsed).position(slabEntryStart), slabStart);
            slabEntryStart = slabUsed;
        }
    }

    /** Ends the building of the batch. */
    void seal() {
        closeSlabEntry();
    }

    long batchBytes() {
        return batchBytes;
    }

    /** Tells whether everything of the batch is written. */
    public boolean isEmpty() {
        return list.isEmpty();
    }

    public GatherList list() {
        return list;
    }

    /** Moves on over what was written. */
    public void written() {
        if (list.written()) {
            clear();
        }
    }

    /** Forgets what is left. */
    public void drop() {
        list.clear();
        clear();
    }

    private void clear() {
        slabUsed = 0;
        full = false;
        snapshotUsed = 0;
        Snapshot taken = snapshot;
        if (taken != null) {
            snapshot = null;
            pool.giveBack(taken);
        }
        slabEntryStart = 0;
        batchBytes = 0;
        giveSlabBack();
    }

    /** Returns how many octets of the stream are built. */
    long position() {
        return position;
    }
}
