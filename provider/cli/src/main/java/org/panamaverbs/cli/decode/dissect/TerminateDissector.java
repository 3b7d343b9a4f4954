package org.panamaverbs.cli.decode.dissect;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ReadRequestView;
import org.panamaverbs.iwarp.wire.TaggedView;
import org.panamaverbs.iwarp.wire.Terminate;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.iwarp.wire.TerminateHeader;
import org.panamaverbs.iwarp.wire.UntaggedView;

/** Takes a Terminate apart, and the headers that it returns. */
final class TerminateDissector {
    private final List<String> problems;

    TerminateDissector(List<String> problems) {
        this.problems = problems;
    }

    /**
     * Adds a Terminate's fields to {@code rdmap}.
     *
     * @param ulpdu the DDP segment
     * @param known octets of the segment that were captured
     * @param behind octets of the segment behind its DDP header
     * @return what it says, in a line
     */
    String dissect(MemorySegment ulpdu, int known, int behind, Fields rdmap) {
        int captured = Math.min(behind, known - DdpHeader.UNTAGGED_BYTES);
        if (behind < TerminateHeader.MIN_BYTES) {
            problems.add("a Terminate of %d octets, expected %d to %d"
                    .formatted(behind, TerminateHeader.MIN_BYTES, TerminateHeader.MAX_BYTES));
            return "too short";
        }
        if (captured < TerminateHeader.MIN_BYTES) {
            return "header not captured";
        }
        // Without headers two readings can be possible; the wire layer settles them by
        // what the receiver was doing. Here the RFC's comes first, and siw's is named.
        boolean mpa =
                (ulpdu.get(ValueLayout.JAVA_BYTE, DdpHeader.UNTAGGED_BYTES) & 0xF0) == TerminateCode.LAYER_MPA << 4;
        Terminate terminate = Terminate.decode(ulpdu, DdpHeader.UNTAGGED_BYTES, captured, mpa);
        Terminate other = Terminate.decode(ulpdu, DdpHeader.UNTAGGED_BYTES, captured, !mpa);
        Fields fields = fields(terminate, ulpdu, captured);
        String alternative = "";
        if (other.siwLayout() && !terminate.siwLayout()) {
            alternative = Names.verdict(other.code());
            fields.text("alternative", "In the bit order of siw", alternative);
        }
        rdmap.group("terminate", "Terminate", fields);
        TerminateCode code = terminate.code();
        String layer = Names.layer(code.layer());
        StringBuilder summary =
                new StringBuilder(code.text().startsWith(layer) ? "" : layer + " ").append(Names.verdict(code));
        if (!terminate.ddpHeader().isEmpty()) {
            summary.append(", of ").append(offender(terminate.ddpHeader()));
        }
        if (!alternative.isEmpty()) {
            summary.append("; from siw: ").append(alternative);
        }
        return summary.append(terminate.siwLayout() ? ", in the bit order of siw" : "")
                .toString();
    }

    private static Fields fields(Terminate terminate, MemorySegment ulpdu, int captured) {
        TerminateCode code = terminate.code();
        int at = DdpHeader.UNTAGGED_BYTES + TerminateHeader.FLAGS;
        int flags = ulpdu.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
        int low = ulpdu.get(ValueLayout.JAVA_BYTE, at + 1) & 0xFF;
        boolean siw = terminate.siwLayout();
        Fields fields = new Fields()
                .count("layer", "Layer", code.layer())
                .text("layerName", "Layer name", Names.layer(code.layer()))
                .count("errorType", "Error type", code.errorType())
                .count("errorCode", "Error code", code.code())
                .text("error", "Error", code.text())
                .text("rfc", "Defined in", Names.rfc(code))
                .flag("m", "M bit", bit(flags, siw, 0))
                .flag("d", "D bit", bit(flags, siw, 1))
                .flag("r", "R bit", bit(flags, siw, 2))
                .hex16("reserved", "Reserved", (siw ? flags >>> 3 : flags & 0x1F) << 8 | low)
                .flag("siwLayout", "Bit order of siw", siw);
        if (terminate.segmentLength() != Terminate.NO_LENGTH) {
            fields.count("segmentLength", "DDP Segment Length", terminate.segmentLength())
                    .count("ulpduLength", "ULPDU length of the offending segment", terminate.ulpduLength());
        }
        Octets ddpHeader = terminate.ddpHeader();
        if (!ddpHeader.isEmpty()) {
            fields.octets("terminatedDdp", "Terminated DDP Header", ddpHeader.toByteArray())
                    .group("offender", "Offending segment: " + offender(ddpHeader), ddp(ddpHeader));
        } else if (bit(flags, siw, 1)) {
            fields.text(
                    "missing",
                    "Missing",
                    "the DDP header, of which " + (captured - TerminateHeader.DDP_HEADER) + " octets are there");
        }
        if (!terminate.rdmapHeader().isEmpty()) {
            Octets header = terminate.rdmapHeader();
            fields.octets("terminatedRdmap", "Terminated RDMAP Header", header.toByteArray())
                    .group(
                            "offendingReadRequest",
                            "Offending Read Request",
                            Fields.of(new ReadRequestView().wrap(header.asSegment(), 0)));
        }
        return fields;
    }

    /** M, D and R, numbered 0 to 2: from the top of the octet, or from its bottom where siw sent it. */
    private static boolean bit(int flags, boolean siw, int number) {
        return (flags & (siw ? 1 << number : 0x80 >>> number)) != 0;
    }

    private static Fields ddp(Octets header) {
        int control = header.at(0);
        int rdmapControl = header.at(DdpHeader.RDMAP_CONTROL);
        Fields fields = new Fields()
                .flag("tagged", "Tagged flag", DdpHeader.isTagged(control))
                .flag("last", "Last flag", DdpHeader.isLast(control))
                .count("version", "DDP version", DdpHeader.version(control))
                .count("opcode", "Opcode", rdmapControl & 0x0F)
                .text("name", "Message", Names.title(rdmapControl));
        if (DdpHeader.isTagged(control)) {
            return fields.header(new TaggedView().wrap(header.asSegment(), 0, header.size()));
        }
        return fields.header(new UntaggedView().wrap(header.asSegment(), 0, header.size()));
    }

    private static String offender(Octets header) {
        String name = Names.title(header.at(DdpHeader.RDMAP_CONTROL));
        if (DdpHeader.isTagged(header.at(0))) {
            TaggedView view = new TaggedView().wrap(header.asSegment(), 0, header.size());
            return name + " STag " + Hexadecimal.word(view.stag()) + " TO " + Hexadecimal.brief(view.to());
        }
        UntaggedView view = new UntaggedView().wrap(header.asSegment(), 0, header.size());
        return name + " QN " + Integer.toUnsignedString(view.qn()) + " MSN " + Integer.toUnsignedString(view.msn());
    }
}
