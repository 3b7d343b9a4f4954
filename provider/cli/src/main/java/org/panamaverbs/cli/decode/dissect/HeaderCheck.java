package org.panamaverbs.cli.decode.dissect;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.TaggedView;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.iwarp.wire.TerminateHeader;
import org.panamaverbs.iwarp.wire.UntaggedView;

/** What a receiver would say of the headers of a DDP segment. */
public final class HeaderCheck {
    private static final int VERSION_BITS = 0x03;
    private static final int RDMAP_VERSION_BITS = 0xC0;

    private HeaderCheck() {}

    /**
     * What a receiver would terminate the stream with, or null if the headers are sound.
     *
     * @param ulpdu the DDP segment, at least its headers if it is long enough for them
     * @param ulpduLength its length
     * @param rdmac whether the stream is of the RDMA Consortium, whose versions are 0 rather than 1
     */
    public static @Nullable TerminateCode verdict(byte[] ulpdu, int ulpduLength, boolean rdmac) {
        if (ulpduLength < DdpHeader.CONTROL_BYTES) {
            return TerminateCode.MPA_FRAMING;
        }
        byte[] header = Arrays.copyOf(ulpdu, DdpHeader.UNTAGGED_BYTES);
        if (rdmac && (header[0] & VERSION_BITS) == 0 && (header[DdpHeader.RDMAP_CONTROL] & RDMAP_VERSION_BITS) == 0) {
            header[0] |= DdpHeader.DDP_VERSION;
            header[DdpHeader.RDMAP_CONTROL] |= (byte) (Opcode.SEND.control() & RDMAP_VERSION_BITS);
        }
        MemorySegment segment = MemorySegment.ofArray(header);
        return DdpHeader.isTagged(header[0])
                ? new TaggedView().wrap(segment, 0, ulpduLength).check()
                : new UntaggedView().wrap(segment, 0, ulpduLength).check();
    }

    /**
     * True when an FPDU can begin with these octets: sound headers, reserved bits 0, and the one length there is where
     * the opcode has but one.
     *
     * @param head as many bytes as the reader looks at for the head of an FPDU
     */
    public static boolean plausible(byte[] head, boolean rdmac) {
        int ulpduLength = Fpdu.ulpduLength(MemorySegment.ofArray(head), 0);
        return plausible(Arrays.copyOfRange(head, Fpdu.LENGTH_BYTES, head.length), ulpduLength, rdmac);
    }

    /** The same of a DDP segment, of which at least the headers are there if it is long enough for them. */
    public static boolean plausible(byte[] ulpdu, int ulpduLength, boolean rdmac) {
        if (ulpduLength < DdpHeader.CONTROL_BYTES) {
            return false;
        }
        Opcode opcode = Opcode.ofControl(ulpdu[DdpHeader.RDMAP_CONTROL]);
        if (opcode == null
                || DdpHeader.reserved(ulpdu[0]) != 0
                || Opcode.reserved(ulpdu[DdpHeader.RDMAP_CONTROL]) != 0
                || verdict(ulpdu, ulpduLength, rdmac) != null) {
            return false;
        }
        int behind = ulpduLength - DdpHeader.size(ulpdu[0]);
        if (opcode == Opcode.TERMINATE) {
            return behind >= TerminateHeader.MIN_BYTES && behind <= TerminateHeader.MAX_BYTES;
        }
        return opcode.hasPayload() || behind == opcode.headerBytes();
    }
}
