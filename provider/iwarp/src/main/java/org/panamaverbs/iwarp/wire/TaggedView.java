package org.panamaverbs.iwarp.wire;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A received tagged DDP segment (RFC 5041 §4.2); the layout is drawn in {@link DdpHeader}. Wrap, {@link #check} once,
 * read. A reusable flyweight, confined to one thread at a time; the segment stays its caller's.
 */
public final class TaggedView {
    private int ulpduLength;
    // Read once, in few words; 0 where the octets are not there.
    private int controls;
    // Found by the check.
    private @Nullable Opcode opcode;
    private int stag;
    private long to;

    /**
     * Looks at other bytes from now on.
     *
     * @param offset where the DDP segment begins
     * @param ulpduLength announced length of the DDP segment, 0..65535; the payload need not be there yet
     */
    public TaggedView wrap(MemorySegment segment, long offset, int ulpduLength) {
        this.ulpduLength = ulpduLength;
        boolean whole = segment.byteSize() - offset >= DdpHeader.TAGGED_BYTES;
        controls = whole ? segment.get(Wire.U16, offset) : 0;
        stag = whole ? segment.get(Wire.U32, offset + DdpHeader.STAG) : 0;
        to = whole ? segment.get(Wire.U64, offset + DdpHeader.TO) : 0;
        return this;
    }

    /**
     * Judges all that can be judged without the stream's state: length, versions, opcode.
     *
     * @return what to terminate the stream with, or null when the segment is sound and the accessors may be used
     */
    public @Nullable TerminateCode check() {
        if (ulpduLength < DdpHeader.TAGGED_BYTES) {
            return TerminateCode.MPA_FRAMING;
        }
        if (DdpHeader.version(controls >>> 8) != DdpHeader.DDP_VERSION) {
            return TerminateCode.TAGGED_VERSION;
        }
        if (Opcode.version(controls) != Opcode.RDMAP_VERSION) {
            return TerminateCode.RDMAP_VERSION;
        }
        Opcode named = Opcode.ofControl(controls);
        opcode = named;
        if (named == null || !named.tagged() || !DdpHeader.isTagged(controls >>> 8)) {
            return TerminateCode.UNEXPECTED_OPCODE;
        }
        return null;
    }

    /** L: the last segment of its message. */
    public boolean last() {
        return DdpHeader.isLast(controls >>> 8);
    }

    /** RDMA Write or RDMA Read Response. */
    public Opcode opcode() {
        return requireNonNull(opcode, "checked before");
    }

    /** The STag of the buffer at this side. */
    public int stag() {
        return stag;
    }

    /** Tagged offset of the first payload octet, unsigned. */
    public long to() {
        return to;
    }

    /** Octets of payload in this segment. */
    public int payloadLength() {
        return ulpduLength - DdpHeader.TAGGED_BYTES;
    }

    /** Length of the whole DDP segment, as a Terminate reports it. */
    public int ulpduLength() {
        return ulpduLength;
    }
}
