package org.panamaverbs.iwarp.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.BufferPool.Snapshot;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.ViewPool;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.FpduCrc;
import org.panamaverbs.iwarp.wire.Markers;
import org.panamaverbs.iwarp.wire.Opcode;

/**
 * Writes DDP segments as FPDUs into a {@link Batch}: length, headers, payload, pad, CRC, and the markers in between
 * (RFC 5044 §4, RFC 5041 §4). Headers, trailers and small payload go into its slab, larger payload stays in place.
 *
 * <p>As long as it {@link #hasRoom}, a segment is begun, its payload appended, and the segment ended or abandoned;
 * {@link #seal} ends the batch. Then {@link #vector} is what to write, and {@link #written} moves on, until the batch
 * {@link #isEmpty}. Batch and snapshot are borrowed from the pool for that time: a stream that has nothing to send
 * holds no memory for it.
 */
final class FpduWriter {
    /** Payload up to here is copied into the slab; above it is sent from where it is. */
    static final int COPY_BYTES = 256;

    private static final long BATCH_BYTES = 512 * 1024;
    private static final int HEADER_BYTES = 128;
    // Below it an FPDU of copies is put off to the next batch.
    private static final int MIN_SLAB_PAYLOAD = 1024;
    // Headers, pads and CRCs of an FPDU and of the Immediate Data behind it, with room to spare.
    private static final int HEADERS_BYTES = 256;
    // The longest payload of one FPDU that an empty batch takes, with the markers in it.
    private static final int MAX_MARKED_PAYLOAD = 16 * 1024;

    private final ViewPool views;
    private final BufferPool pool;
    private final int maxPieces;
    private final int maxInlineBytes;
    private final MemorySegment header;
    private final FpduCrc crc = new FpduCrc();
    // What is to be written without a batch; of its own, as each write counts in it.
    private final IoVector nothing = new IoVector(0);

    // ---- what was agreed: set when the stream starts --------------------------------------------------------------

    private boolean withMarkers;
    private int mulpdu = Fpdu.MIN_MULPDU;
    private int maxPayload;
    // Payload up to here is copied, and is one segment whatever its header.
    private int shortPayload;
    // So much of slab, snapshot and list may be taken where one more FPDU is begun.
    private int slabLimit;
    private int snapshotLimit;
    private int entriesLimit;

    // ---- the batch ------------------------------------------------------------------------------------------------

    private Batch batch = Batch.NONE;
    // Nothing more goes into this batch: the slab is used up by copies. Until the next batch.
    private boolean full;
    // So many octets of the slab are taken. Grows within a batch; goes back with an FPDU that is abandoned.
    private int used;
    // From here on they are in no entry of the gather list yet; follows `used` with each entry.
    private int entryStart;
    // For larger payload that may change while it is sent; null until the batch needs one. So much of it is taken.
    private @Nullable Snapshot snapshot;
    private int snapshotUsed;
    // Octets of the stream that are built, from the first marker position (RFC 5044 §4.3); as many as the batch began.
    private long position;
    private long batchPosition;

    // ---- the FPDU that is open ------------------------------------------------------------------------------------

    // As its length field says.
    private int ulpduLength;
    // Where its length field is; in front of it, where a marker there is.
    private long fpduPosition;
    // How far the batch was when it was begun, to go back there.
    private int entriesBefore;
    private int usedBefore;
    private int entryStartBefore;
    private int snapshotUsedBefore;
    private long positionBefore;

    /**
     * Creates a writer without a batch.
     *
     * @param maxPieces how many pieces the payload of a segment has at most
     * @param maxInlineBytes how many octets of inline data a segment has at most
     */
    public FpduWriter(ViewPool views, BufferPool pool, int maxPieces, int maxInlineBytes, Arena arena) {
        this.views = views;
        this.pool = pool;
        this.maxPieces = maxPieces;
        this.maxInlineBytes = maxInlineBytes;
        header = arena.allocate(HEADER_BYTES, 8);
    }

    void start(int maxUlpdu, boolean withCrc, boolean markers) {
        crc.start(withCrc);
        withMarkers = markers;
        mulpdu = maxUlpdu;
        maxPayload = markers ? MAX_MARKED_PAYLOAD : Fpdu.MAX_MULPDU;
        int payload = Math.min(mulpdu, maxPayload);
        shortPayload = Math.min(COPY_BYTES, payload - DdpHeader.UNTAGGED_BYTES & ~3);
        int most = mostMarkers(payload);
        // Markers cut a piece into runs; its first and last may be short enough to be copied.
        int shortRuns = (markers ? 2 : 1) * maxPieces * COPY_BYTES;
        slabLimit = Batch.SLAB_BYTES - HEADERS_BYTES - most * Markers.BYTES - Math.max(shortRuns, maxInlineBytes);
        snapshotLimit = BufferPool.SNAPSHOT_BYTES - payload;
        entriesLimit = Batch.MAX_ENTRIES - 2 * (maxPieces + most) - 4;
    }

    // ---- how much -------------------------------------------------------------------------------------------------

    /** Tells whether one more segment fits into the batch. */
    boolean hasRoom() {
        return !full
                && position - batchPosition < BATCH_BYTES
                && used <= slabLimit
                && snapshotUsed <= snapshotLimit
                && batch.vector.end() <= entriesLimit;
    }

    private int slabRoom() {
        return Batch.SLAB_BYTES - used;
    }

    /** Returns how much of {@code remaining} octets goes into the next segment. */
    int payload(long remaining, int headerBytes) {
        int most = Math.min(mulpdu - headerBytes, maxPayload);
        // A full segment needs no pad, as siw does it.
        return (int) Math.min(remaining, most & ~3);
    }

    /**
     * Returns how much of {@code wanted} octets goes into a segment for which there is no memory but the batch's; 0 if
     * none does: the batch then ends, and the next one has room.
     */
    int shortPayload(int wanted) {
        int room = slabRoom() - 2 * HEADERS_BYTES;
        int payload = withMarkers ? room / Markers.SPACING * Markers.DATA_BETWEEN : room;
        if (payload >= wanted) {
            return wanted;
        }
        if (payload < MIN_SLAB_PAYLOAD) {
            close();
            return 0;
        }
        return payload & ~3;
    }

    /** Takes no more FPDUs into this batch. */
    void close() {
        full = true;
    }

    /** Returns how many octets of the stream are built. */
    long position() {
        return position;
    }

    // ---- a segment ------------------------------------------------------------------------------------------------

    /** Returns the header under construction, for {@link #headerOnly}. */
    MemorySegment header() {
        return header;
    }

    /** Writes a message that is all header. */
    void headerOnly(int length) {
        begin(length, length);
        end();
    }

    /** Writes a zero-length tagged message. */
    void emptyTagged(Opcode opcode, int stag, long to) {
        beginTagged(true, opcode, stag, to, 0);
        end();
    }

    /** Begins a tagged segment with {@code payload} octets to be appended. */
    void beginTagged(boolean last, Opcode opcode, int stag, long to, int payload) {
        int length = DdpHeader.TAGGED_BYTES + payload;
        if (withMarkers) {
            DdpHeader.emitTagged(header, 0, last, opcode, stag, to);
            begin(length, DdpHeader.TAGGED_BYTES);
        } else {
            open(length);
            Fpdu.emitTagged(batch.slab, used, length, last, opcode, stag, to);
            grew(Fpdu.LENGTH_BYTES + DdpHeader.TAGGED_BYTES);
        }
    }

    /** Begins an untagged segment with {@code payload} octets to be appended. */
    void beginUntagged(boolean last, Opcode opcode, int invalidateStag, int msn, int mo, int payload) {
        int length = DdpHeader.UNTAGGED_BYTES + payload;
        if (withMarkers) {
            DdpHeader.emitUntagged(header, 0, last, opcode, invalidateStag, msn, mo);
            begin(length, DdpHeader.UNTAGGED_BYTES);
        } else {
            open(length);
            Fpdu.emitUntagged(batch.slab, used, length, last, opcode, invalidateStag, msn, mo);
            grew(Fpdu.LENGTH_BYTES + DdpHeader.UNTAGGED_BYTES);
        }
    }

    /** Begins an FPDU with its length and {@code headerBytes} of the header. */
    private void begin(int length, int headerBytes) {
        open(length);
        // FPDUs and markers begin at multiples of 4: none cuts the length, the pad or the CRC.
        Fpdu.emitLength(batch.slab, used, length);
        grew(Fpdu.LENGTH_BYTES);
        append(header, 0, headerBytes);
    }

    private void open(int length) {
        if (batch == Batch.NONE) {
            batch = pool.takeBatch();
        }
        entriesBefore = batch.vector.end();
        usedBefore = used;
        entryStartBefore = entryStart;
        snapshotUsedBefore = snapshotUsed;
        positionBefore = position;
        ulpduLength = length;
        crc.open(used);
        // A marker in front of an FPDU belongs to none.
        fpduPosition = position;
        if (withMarkers) {
            markerIfDue();
            fpduPosition = position;
        }
    }

    /** Appends a copy of {@code length} octets. */
    void append(MemorySegment source, long offset, int length) {
        int done = 0;
        while (done < length) {
            int run = run(length - done);
            copy(source, offset + done, run);
            done += run;
        }
    }

    /** Appends {@code length} octets of the region that {@code access} has entered under {@code stag}; leaves it. */
    Appended append(Protection access, int length, int stag) {
        return access.mayVanish() ? appendCopied(access, length) : appendInPlace(access, length, stag);
    }

    /**
     * Appends {@code length} octets of the region that {@code access} has entered, which others may change at any time;
     * leaves it. With a CRC they are copied first, so that the CRC fits what is sent.
     */
    Appended appendVolatile(Protection access, int length, int stag) {
        return crc.isOn() ? appendCopied(access, length) : append(access, length, stag);
    }

    private Appended appendInPlace(Protection access, int length, int stag) {
        MemorySegment segment = access.segment();
        long offset = access.offset();
        Region region = access.region();
        try {
            int done = 0;
            while (done < length) {
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
        int start = snapshotUsed;
        try {
            if (length > COPY_BYTES) {
                target = borrowSnapshot();
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
            int run = run(length - done);
            appendOwn(target, start + done, run);
            done += run;
        }
        return Appended.DONE;
    }

    /** Returns the snapshot of the batch, null if there is none and none can be had. */
    private @Nullable Snapshot borrowSnapshot() {
        if (snapshot == null) {
            snapshot = pool.takeSnapshot();
        }
        return snapshot;
    }

    private Appended copyIntoSlab(Protection access, int length) {
        if (length + mostMarkers(length) * Markers.BYTES > slabRoom() - HEADERS_BYTES) {
            return Appended.TOO_MUCH;
        }
        int done = 0;
        while (done < length) {
            int run = run(length - done);
            if (!access.copyOut(done, batch.slab, used, run)) {
                return Appended.GONE;
            }
            grew(run);
            done += run;
        }
        return Appended.DONE;
    }

    private void appendView(Region region, int stag, long offset, int run) {
        crc.upTo(batch.whole, used);
        closeEntry();
        count(batch.addView(views.of(region, offset), region, stag, offset, run), run);
    }

    private void appendOwn(Snapshot from, int start, int run) {
        crc.upTo(batch.whole, used);
        closeEntry();
        ByteBuffer view = from.view(batch.vector.end(), start, run);
        batch.add(view, from.start);
        count(view, run);
    }

    private void count(ByteBuffer view, int run) {
        int start = view.position();
        crc.add(view, start, run);
        view.position(start);
        position += run;
    }

    private void copy(MemorySegment source, long offset, int run) {
        MemorySegment.copy(source, offset, batch.slab, used, run);
        grew(run);
    }

    private void grew(int octets) {
        used += octets;
        position += octets;
    }

    /** Ends the segment: pad and CRC. */
    void end() {
        grew(Fpdu.emitPad(batch.slab, used, ulpduLength));
        if (withMarkers) {
            // RFC 5044 §4.3: a marker due after the pad stands before the CRC and is covered by it.
            markerIfDue();
        }
        crc.upTo(batch.whole, used);
        crc.emit(batch.slab, used);
        grew(Fpdu.CRC_BYTES);
    }

    /** Forgets the segment that was begun. */
    void abandon() {
        batch.truncate(entriesBefore);
        used = usedBefore;
        entryStart = entryStartBefore;
        snapshotUsed = snapshotUsedBefore;
        position = positionBefore;
        full = false;
    }

    /** So many octets of the stream were built elsewhere, between two batches. */
    void skip(int octets) {
        position += octets;
        batchPosition = position;
    }

    boolean hasCrc() {
        return crc.isOn();
    }

    // ---- a run of whole FPDUs, without markers ---------------------------------------------------------------------

    /** Begins a run of FPDUs that are built in the slab; returns where the first one begins. */
    int beginRun() {
        if (batch == Batch.NONE) {
            batch = pool.takeBatch();
        }
        return used;
    }

    /** Returns how much payload an FPDU of the run has at most. */
    int runPayload() {
        return shortPayload;
    }

    /** Returns the memory of the batch. */
    MemorySegment slab() {
        return batch.slab;
    }

    /** Tells whether there is room for one more FPDU of up to {@link #COPY_BYTES} octets of payload at {@code at}. */
    boolean runHasRoom(int at) {
        return at <= slabLimit && position + at - used - batchPosition < BATCH_BYTES;
    }

    /** Ends the FPDU of the run that begins at {@code at}, with pad and CRC; returns its octets. */
    int sealRun(int at, int length) {
        int size = Fpdu.size(length);
        int crcAt = at + size - Fpdu.CRC_BYTES;
        Fpdu.emitPad(batch.slab, at + Fpdu.LENGTH_BYTES + length, length);
        crc.seal(batch.whole, batch.slab, at, crcAt);
        return size;
    }

    /** Ends the run, whose last FPDU ends at {@code at}. */
    void endRun(int at) {
        grew(at - used);
    }

    // ---- markers, if the peer wants some: every 512 octets of the stream ------------------------------------------

    /** Writes the marker that is due, if one is; returns how many of {@code wanted} octets come before the next. */
    private int run(int wanted) {
        if (!withMarkers) {
            return wanted;
        }
        markerIfDue();
        return Math.min(wanted, Markers.SPACING - (int) (position & Markers.SPACING - 1));
    }

    private void markerIfDue() {
        if (Markers.isDue(position)) {
            Markers.emit(batch.slab, used, (int) (position - fpduPosition));
            grew(Markers.BYTES);
        }
    }

    /** Returns how many markers {@code payload} octets may need. */
    private int mostMarkers(int payload) {
        return withMarkers ? payload / Markers.DATA_BETWEEN + 2 : 0;
    }

    // ---- the batch ------------------------------------------------------------------------------------------------

    // What follows lies elsewhere, or nothing does.
    private void closeEntry() {
        if (used > entryStart) {
            batch.addSlab(entryStart, used);
            entryStart = used;
        }
    }

    /** Ends the building of the batch, which is over if nothing is in it. */
    void seal() {
        if (batch != Batch.NONE) {
            closeEntry();
            if (batch.vector.isEmpty()) {
                release();
            }
        }
    }

    /** Tells whether everything of the batch is written: a stream has one only while it is built or written. */
    public boolean isEmpty() {
        return batch == Batch.NONE;
    }

    /** Tells whether a part of what is to be written lies in a memory window. */
    boolean holdsWindow() {
        return batch.holdsWindow();
    }

    /** Returns what is left to be written; the pool's again once {@link #written} has found that all is. */
    public IoVector vector() {
        return batch == Batch.NONE ? nothing : batch.vector;
    }

    /** Pins the regions that the rest lies in, if any; false if some of it was revoked or closed. */
    public boolean pinRest() {
        return isEmpty() || batch.pinRest();
    }

    /** Moves the batch on over what was written. */
    public void written() {
        if (batch != Batch.NONE && batch.written()) {
            release();
        }
    }

    /**
     * Copies what is left of registered memory, so that its owner may reuse it while the FPDU under way is finished;
     * false if some of it was revoked.
     */
    public boolean detach() {
        return batch.detach();
    }

    /** Forgets the rest of the batch. */
    public void drop() {
        if (batch != Batch.NONE) {
            batch.clear();
            release();
        }
    }

    private void release() {
        full = false;
        used = 0;
        entryStart = 0;
        snapshotUsed = 0;
        batchPosition = position;
        Snapshot copies = snapshot;
        if (copies != null) {
            pool.giveBack(copies);
            snapshot = null;
        }
        pool.giveBack(batch);
        batch = Batch.NONE;
    }
}
