package org.panamaverbs.iwarp.core.send;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.mpa.Fpdu;

/**
 * Writes DDP segments into the batch: headers from one scratch header, payload from where it is (RFC 5041 §4, §5.2).
 */
public final class SegmentWriter {
    private static final int HEADER_BYTES = 128;

    private final Gather gather;
    private final MemorySegment header;
    private final int maxInlineBytes;
    private int mulpdu = Fpdu.MIN_MULPDU;

    public SegmentWriter(Gather gather, int maxInlineBytes, Arena arena) {
        this.gather = gather;
        this.maxInlineBytes = maxInlineBytes;
        header = arena.allocate(HEADER_BYTES, 8);
    }

    void start(int maxUlpdu) {
        mulpdu = maxUlpdu;
    }

    /** Returns the header under construction. */
    MemorySegment header() {
        return header;
    }

    /** Returns how much of {@code remaining} octets goes into the next segment. */
    int payload(long remaining, int headerBytes) {
        int most = Math.min(mulpdu - headerBytes, gather.maxPayload());
        // A full segment needs no pad, as siw does it.
        return (int) Math.min(remaining, most & ~3);
    }

    /**
     * Returns how much of {@code wanted} octets goes into a segment for which there is no memory but the batch's; 0 if
     * none does: the batch then ends, and the next one has room.
     */
    int shortPayload(int wanted) {
        int payload = gather.slabPayload(wanted);
        if (payload == 0) {
            gather.close();
        }
        return payload;
    }

    /** Tells whether one more segment of up to {@code pieces} pieces fits into the batch. */
    boolean hasRoom(int pieces) {
        return gather.hasRoom(Math.min(mulpdu, gather.maxPayload()), pieces, maxInlineBytes);
    }

    /** Begins a segment of {@code headerBytes} of the header and {@code payload} octets to be appended. */
    void begin(int headerBytes, int payload) {
        gather.beginFpdu(headerBytes + payload);
        gather.appendHeaders(header, headerBytes);
    }

    /** Begins a tagged segment with {@code payload} octets to be appended. */
    void beginTagged(boolean last, Opcode opcode, int stag, long to, int payload) {
        gather.beginTagged(header, DdpHeader.TAGGED_BYTES + payload, last, opcode, stag, to);
    }

    /** Begins an untagged segment with {@code payload} octets to be appended. */
    void beginUntagged(boolean last, Opcode opcode, int invalidateStag, int msn, int mo, int payload) {
        gather.beginUntagged(header, DdpHeader.UNTAGGED_BYTES + payload, last, opcode, invalidateStag, msn, mo);
    }

    /** Appends a copy of {@code length} octets. */
    void append(MemorySegment source, long offset, int length) {
        gather.append(source, offset, length);
    }

    /** Appends {@code length} octets of the region that {@code access} has entered under {@code stag}; leaves it. */
    Appended append(Protection access, int length, int stag) {
        return gather.appendPayload(access, length, stag);
    }

    /**
     * Appends {@code length} octets of the region that {@code access} has entered, which may change meanwhile; leaves
     * it.
     */
    Appended appendVolatile(Protection access, int length, int stag) {
        return gather.appendVolatile(access, length, stag);
    }

    /** Returns how many octets of the stream are built. */
    long position() {
        return gather.position();
    }

    /** Ends the segment. */
    void end() {
        gather.endFpdu();
    }

    /** Forgets the segment that was begun. */
    void abandon() {
        gather.abandonFpdu();
    }

    /** Writes a message that is all header. */
    void headerOnly(int ulpduLength) {
        begin(ulpduLength, 0);
        end();
    }

    /** Writes a zero-length tagged message. */
    void emptyTagged(Opcode opcode, int stag, long to) {
        DdpHeader.emitTagged(header, 0, true, opcode, stag, to);
        headerOnly(DdpHeader.TAGGED_BYTES);
    }
}
