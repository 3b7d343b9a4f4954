package org.panamaverbs.iwarp.wire;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A received untagged DDP segment (RFC 5041 §4.3); the layout is drawn in {@link DdpHeader}. Wrap, {@link #check} once,
 * read. A reusable flyweight, confined to one thread at a time; the segment stays its caller's.
 */
public final class UntaggedView {
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int ulpduLength;
    // Read once, in few words; 0 where the octets are not there.
    private int controls;
    // Found by the check.
    private @Nullable Opcode opcode;
    private int qn;
    private int msn;
    private int mo;

    /**
     * Looks at other bytes from now on.
     *
     * @param offset where the DDP segment begins
     * @param ulpduLength announced length of the DDP segment, 0..65535; the payload need not be there yet
     */
    public UntaggedView wrap(MemorySegment segment, long offset, int ulpduLength) {
        this.segment = segment;
        this.offset = offset;
        this.ulpduLength = ulpduLength;
        boolean whole = segment.byteSize() - offset >= DdpHeader.UNTAGGED_BYTES;
        controls = whole ? segment.get(Wire.U16, offset) : 0;
        long queueAndMsn = whole ? segment.get(Wire.U64, offset + DdpHeader.QN) : 0;
        qn = (int) (queueAndMsn >>> Integer.SIZE);
        msn = (int) queueAndMsn;
        mo = whole ? segment.get(Wire.U32, offset + DdpHeader.MO) : 0;
        return this;
    }

    /**
     * Judges all that can be judged without the stream's state: length, versions, opcode, and the opcode's queue. MSN,
     * MO and room in the buffer are the stream's business.
     *
     * @return what to terminate the stream with, or null when the segment is sound and the accessors may be used
     */
    public @Nullable TerminateCode check() {
        if (ulpduLength < DdpHeader.UNTAGGED_BYTES) {
            return TerminateCode.MPA_FRAMING;
        }
        if (DdpHeader.version(controls >>> 8) != DdpHeader.DDP_VERSION) {
            return TerminateCode.UNTAGGED_VERSION;
        }
        if (Opcode.version(controls) != Opcode.RDMAP_VERSION) {
            return TerminateCode.RDMAP_VERSION;
        }
        Opcode named = Opcode.ofControl(controls);
        opcode = named;
        if (named == null || named.tagged() || DdpHeader.isTagged(controls >>> 8)) {
            return TerminateCode.UNEXPECTED_OPCODE;
        }
        return named.queue() == qn ? null : TerminateCode.UNTAGGED_INVALID_QN;
    }

    /** L: the last segment of its message. */
    public boolean last() {
        return DdpHeader.isLast(controls >>> 8);
    }

    /** Any opcode but RDMA Write and RDMA Read Response. */
    public Opcode opcode() {
        return requireNonNull(opcode, "checked before");
    }

    /** The STag to invalidate; means something only if the opcode {@linkplain Opcode#invalidates invalidates}. */
    public int invalidateStag() {
        return segment.get(Wire.U32, offset + DdpHeader.STAG);
    }

    /** Queue number. */
    public int qn() {
        return qn;
    }

    /** Message sequence number on its queue, unsigned; the first is 1 and it wraps through 0. */
    public int msn() {
        return msn;
    }

    /** Offset of this segment's payload in the message, in octets, unsigned. */
    public int mo() {
        return mo;
    }

    /** Octets behind the DDP header: ULP payload, or the RDMAP header of the message. */
    public int payloadLength() {
        return ulpduLength - DdpHeader.UNTAGGED_BYTES;
    }

    /** Length of the whole DDP segment, as a Terminate reports it. */
    public int ulpduLength() {
        return ulpduLength;
    }
}
