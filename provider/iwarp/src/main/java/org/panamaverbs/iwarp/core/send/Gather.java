package org.panamaverbs.iwarp.core.send;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.ShortCopy;
import org.panamaverbs.iwarp.core.memory.ViewPool;
import org.panamaverbs.iwarp.core.send.BufferPool.Snapshot;
import org.panamaverbs.iwarp.io.IoVector;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.mpa.Fpdu;
import org.panamaverbs.iwarp.wire.mpa.FpduCrc;
import org.panamaverbs.iwarp.wire.mpa.Markers;

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

    private final ViewPool views;
    private final BatchMemory memory;
    private final MarkersOut markers = new MarkersOut();
    private final FpduCrc crc = new FpduCrc();
    // What is to be written without a batch; of its own, as each write counts in it.
    private final IoVector nothing = new IoVector(0);
    // Where the open FPDU began, to go back there; set with each that begins.
    private final Mark mark = new Mark();

    // Nothing more goes into this batch: the slab is used up by copies. Until the next batch.
    private boolean full;
    // Octets of the batch so far.
    private long batchBytes;
    // Octets of the stream so far, from the first marker position (RFC 5044 §4.3).
    private long position;
    // Of the open FPDU, as its length field says.
    private int ulpduLength;

    /** How far a batch was when its last FPDU was begun. */
    private static final class Mark {
        final BatchMemory.Mark memory = new BatchMemory.Mark();
        int entries;
        long batchBytes;
        long position;
    }

    public Gather(ViewPool views, BufferPool pool) {
        this.views = views;
        memory = new BatchMemory(pool);
    }

    /** Says what was negotiated. */
    void start(boolean withCrc, boolean withMarkers) {
        crc.start(withCrc);
        markers.start(withMarkers);
    }

    /** Tells whether one more FPDU of {@code payload} octets fits, of which {@code copied} may be copied in runs. */
    boolean hasRoom(int payload, int pieces, int copied) {
        if (full || payload > memory.snapshotRoom()) {
            return false;
        }
        int most = markers.most(payload);
        // Markers cut a piece into runs; its first and last may be short enough to be copied.
        int shortRuns = (markers.areOn() ? 2 : 1) * pieces * COPY_BYTES;
        int slabNeed = HEADERS_BYTES + most * Markers.BYTES + Math.max(shortRuns, copied);
        return memory.room() >= slabNeed
                && GatherList.MAX_ENTRIES - memory.list().count() >= 2 * (pieces + most) + 4;
    }

    /** Returns the longest payload of one FPDU that an empty batch takes. */
    int maxPayload() {
        return markers.areOn() ? 16 * 1024 : Fpdu.MAX_MULPDU;
    }

    /**
     * Returns how much payload one more FPDU takes that is all copied into the slab, at most {@code wanted}; 0 if it is
     * better put off, after {@link #close}.
     */
    int slabPayload(int wanted) {
        int room = memory.room() - 2 * HEADERS_BYTES;
        int payload = markers.areOn() ? room / Markers.SPACING * Markers.DATA_BETWEEN : room;
        if (payload >= wanted) {
            return wanted;
        }
        return payload < MIN_SLAB_PAYLOAD ? 0 : payload & ~3;
    }

    /** Takes no more FPDUs into this batch. */
    void close() {
        full = true;
    }

    /** Begins an FPDU with its length; headers follow. */
    void beginFpdu(int length) {
        openFpdu(length);
        // FPDUs and markers begin at multiples of 4: none cuts the length, the pad or the CRC.
        Fpdu.emitLength(memory.slab(), memory.used(), length);
        grew(Fpdu.LENGTH_BYTES);
    }

    /** Begins an FPDU of a tagged segment, as {@link Fpdu#emitTagged} has it; {@code headers} is used for markers. */
    void beginTagged(MemorySegment headers, int length, boolean last, Opcode opcode, int stag, long to) {
        if (markers.areOn()) {
            DdpHeader.emitTagged(headers, 0, last, opcode, stag, to);
            beginFpdu(length);
            append(headers, 0, DdpHeader.TAGGED_BYTES);
        } else {
            openFpdu(length);
            Fpdu.emitTagged(memory.slab(), memory.used(), length, last, opcode, stag, to);
            grew(Fpdu.LENGTH_BYTES + DdpHeader.TAGGED_BYTES);
        }
    }

    /** Begins an FPDU of an untagged segment, as {@link Fpdu#emitUntagged} has it; the same. */
    void beginUntagged(
            MemorySegment headers, int length, boolean last, Opcode opcode, int invalidateStag, int msn, int mo) {
        if (markers.areOn()) {
            DdpHeader.emitUntagged(headers, 0, last, opcode, invalidateStag, msn, mo);
            beginFpdu(length);
            append(headers, 0, DdpHeader.UNTAGGED_BYTES);
        } else {
            openFpdu(length);
            Fpdu.emitUntagged(memory.slab(), memory.used(), length, last, opcode, invalidateStag, msn, mo);
            grew(Fpdu.LENGTH_BYTES + DdpHeader.UNTAGGED_BYTES);
        }
    }

    private void openFpdu(int length) {
        memory.borrow();
        mark.entries = memory.list().count();
        mark.batchBytes = batchBytes;
        mark.position = position;
        memory.mark(mark.memory);
        crc.open(memory.used());
        ulpduLength = length;
        markers.betweenFpdus();
        markerIfDue();
        markers.open(position);
    }

    /** Appends the {@code length} octets of the headers of the FPDU, at the start of {@code headers}. */
    void appendHeaders(MemorySegment headers, int length) {
        if (!markers.areOn() && length <= ShortCopy.BYTES) {
            ShortCopy.copy(headers, 0, memory.slab(), memory.used());
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
        MemorySegment.copy(source, offset, memory.slab(), memory.used(), run);
        grew(run);
    }

    private void grew(int octets) {
        memory.grew(octets);
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
        return crc.isOn() ? appendCopied(access, length) : appendPayload(access, length, stag);
    }

    private Appended appendInPlace(Protection access, int length, int stag) {
        MemorySegment segment = access.segment();
        long offset = access.offset();
        Region region = access.region();
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
            access.leave();
        }
    }

    private Appended appendCopied(Protection access, int length) {
        Snapshot target = null;
        int start = memory.snapshotUsed();
        try {
            if (length > COPY_BYTES) {
                target = memory.snapshot();
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
        memory.snapshotGrew(length);
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
        if (length + markers.most(length) * Markers.BYTES > memory.room() - HEADERS_BYTES) {
            return Appended.TOO_MUCH;
        }
        int done = 0;
        while (done < length) {
            markerIfDue();
            int run = run(length - done);
            if (!access.copyOut(done, memory.slab(), memory.used(), run)) {
                return Appended.GONE;
            }
            grew(run);
            done += run;
        }
        return Appended.DONE;
    }

    private void appendView(Region region, int stag, long offset, int run) {
        closeSlabEntry();
        count(memory.list().addView(views.of(region, offset), region, stag, offset, run), run);
    }

    private void appendOwn(Snapshot from, int start, int run) {
        closeSlabEntry();
        GatherList list = memory.list();
        ByteBuffer view = from.view(list.count(), start, run);
        list.add(view, from.start);
        count(view, run);
    }

    private void count(ByteBuffer view, int run) {
        int start = view.position();
        crc.add(view, start, run);
        view.position(start);
        position += run;
        batchBytes += run;
    }

    /** Forgets the FPDU that was begun. */
    void abandonFpdu() {
        memory.list().truncate(mark.entries);
        memory.rollBack(mark.memory);
        batchBytes = mark.batchBytes;
        position = mark.position;
        full = false;
    }

    /** Ends the FPDU: pad and CRC. */
    void endFpdu() {
        grew(Fpdu.emitPad(memory.slab(), memory.used(), ulpduLength));
        // RFC 5044 §4.3: a marker due after the pad stands before the CRC and is covered by it.
        markerIfDue();
        crc.upTo(memory.slabWhole(), memory.used());
        crc.emit(memory.slab(), memory.used());
        grew(Fpdu.CRC_BYTES);
    }

    private void markerIfDue() {
        if (markers.isDue(position)) {
            markers.emit(memory.slab(), memory.used(), position);
            grew(Markers.BYTES);
        }
    }

    private int run(int wanted) {
        return markers.runToNext(position, wanted);
    }

    // What follows lies elsewhere.
    private void closeSlabEntry() {
        crc.upTo(memory.slabWhole(), memory.used());
        memory.closeEntry();
    }

    /** Ends the building of the batch. */
    void seal() {
        memory.closeEntry();
    }

    long batchBytes() {
        return batchBytes;
    }

    /** Tells whether everything of the batch is written. */
    public boolean isEmpty() {
        // First what is at hand.
        return !memory.isLent() || memory.list().isEmpty();
    }

    /** Returns the list of the batch, one without entries if there is none. */
    public GatherList list() {
        return memory.list();
    }

    /** Returns what is left to be written: nobody's any more once {@link #written} was told that it is. */
    public IoVector vector() {
        return memory.isLent() ? memory.list().vector() : nothing;
    }

    /** Pins the regions that the rest lies in, if any; false if some of it was revoked or closed. */
    public boolean pinRest() {
        return isEmpty() || memory.list().pinRest();
    }

    /** Moves the batch on over what was written. */
    public void written() {
        if (!memory.isLent() || memory.list().written()) {
            clear();
        }
    }

    /** Forgets the rest of the batch. */
    public void drop() {
        if (memory.isLent()) {
            memory.list().clear();
        }
        clear();
    }

    private void clear() {
        full = false;
        batchBytes = 0;
        memory.clear();
    }

    /** Returns how many octets of the stream are built. */
    long position() {
        return position;
    }
}
