package org.panamaverbs.cli.decode.dissect;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.AtomicResponseView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.ImmediateDataView;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.ReadRequestView;
import org.panamaverbs.iwarp.wire.TaggedView;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.iwarp.wire.UntaggedView;

/** Takes a DDP segment apart: its DDP and RDMAP headers, what they say, and what is wrong with them. */
public final class UlpduDissector {
    private static final byte[] NOTHING = {};

    /** What a segment amounts to. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Dissected(
            String kind, String title, String summary, List<Field> groups, byte[] payload, List<String> problems) {}

    private final byte[] ulpdu;
    private final int known;
    private final MemorySegment segment;
    private final boolean draftSwap;
    private final Fields ddp = new Fields();
    private final Fields rdmap = new Fields();
    private final List<String> problems = new ArrayList<>();
    private String summary = "";
    private byte[] payload = NOTHING;

    private UlpduDissector(byte[] ulpdu, int known, boolean draftSwap) {
        this.ulpdu = ulpdu;
        this.known = known;
        segment = MemorySegment.ofArray(ulpdu);
        this.draftSwap = draftSwap;
    }

    /**
     * Takes a segment apart.
     *
     * @param ulpdu all of it
     * @param known how many of its octets were captured, from the first one on
     * @param rdmac whether the stream is of the RDMA Consortium
     * @param draftSwap whether AOpCode 1 is the draft's Swap
     */
    public static Dissected dissect(byte[] ulpdu, int known, boolean rdmac, boolean draftSwap) {
        return new UlpduDissector(ulpdu, known, draftSwap).dissect(rdmac);
    }

    private Dissected dissect(boolean rdmac) {
        TerminateCode verdict = HeaderCheck.verdict(ulpdu, ulpdu.length, rdmac);
        if (verdict != null) {
            problems.add(Names.verdict(verdict));
        }
        if (ulpdu.length < DdpHeader.CONTROL_BYTES || ulpdu.length < DdpHeader.size(ulpdu[0])) {
            problems.add("a ULPDU of " + ulpdu.length + " octets has no room for a DDP header");
            return new Dissected(
                    Names.UNKNOWN, "FPDU", ulpdu.length + " octets", List.of(), ulpdu.clone(), List.copyOf(problems));
        }
        int control = ulpdu[DdpHeader.RDMAP_CONTROL];
        Opcode opcode = Opcode.ofControl(control);
        String title = Names.title(control);
        reserved(DdpHeader.reserved(ulpdu[0]), "DDP");
        reserved(Opcode.reserved(control), "RDMAP");
        boolean tagged = DdpHeader.isTagged(ulpdu[0]);
        ddp.flag("tagged", "Tagged flag", tagged)
                .flag("last", "Last flag", DdpHeader.isLast(ulpdu[0]))
                .count("reserved", "Reserved", DdpHeader.reserved(ulpdu[0]))
                .count("version", "DDP version", DdpHeader.version(ulpdu[0]));
        rdmap.count("version", "RDMAP version", Opcode.version(control))
                .count("reserved", "Reserved", Opcode.reserved(control))
                .count("opcode", "Opcode", control & 0x0F)
                .text("name", "Message", title);
        if (tagged) {
            tagged();
        } else {
            untagged(opcode);
        }
        return new Dissected(
                opcode == null ? Names.UNKNOWN : Names.kind(opcode),
                title,
                summary,
                List.of(
                        ddp.asGroup("ddp", "Direct Data Placement, " + (tagged ? "tagged" : "untagged")),
                        rdmap.asGroup("rdmap", "Remote Direct Memory Access, " + title)),
                payload,
                List.copyOf(problems));
    }

    private void reserved(int bits, String layer) {
        if (bits != 0) {
            problems.add("the reserved bits of the " + layer + " control octet are not zero");
        }
    }

    private String last() {
        return DdpHeader.isLast(ulpdu[0]) ? ", last" : ", more";
    }

    private void tagged() {
        TaggedView view = new TaggedView().wrap(segment, 0, ulpdu.length);
        ddp.header(view);
        payload(DdpHeader.TAGGED_BYTES);
        summary = "STag " + Hexadecimal.word(view.stag()) + " TO " + Hexadecimal.brief(view.to()) + ", "
                + view.payloadLength() + " octets" + last();
    }

    private void untagged(@Nullable Opcode opcode) {
        UntaggedView view = new UntaggedView().wrap(segment, 0, ulpdu.length);
        ddp.header(view);
        String msn = "MSN " + Integer.toUnsignedString(view.msn());
        if (opcode == null || opcode.tagged()) {
            payload(DdpHeader.UNTAGGED_BYTES);
            summary = "QN " + Integer.toUnsignedString(view.qn()) + " " + msn + ", " + view.payloadLength() + " octets"
                    + last();
            return;
        }
        String invalidated = "";
        if (opcode.invalidates()) {
            rdmap.hex32("invalidateStag", "Invalidate STag", view.invalidateStag());
            invalidated = "STag " + Hexadecimal.word(view.invalidateStag()) + " ";
        } else if (view.invalidateStag() != 0) {
            problems.add("the field reserved for the ULP is " + Hexadecimal.word(view.invalidateStag())
                    + ", although the message invalidates nothing");
        }
        if (opcode.isSend()) {
            payload(DdpHeader.UNTAGGED_BYTES);
            summary = invalidated + msn + " MO " + Integer.toUnsignedString(view.mo()) + ", " + view.payloadLength()
                    + " octets" + last();
            return;
        }
        summary = msn;
        if (!DdpHeader.isLast(ulpdu[0]) || view.mo() != 0) {
            problems.add("a message that always has one segment has several");
        }
        header(opcode);
    }

    /** The messages that consist of a header. */
    private void header(Opcode opcode) {
        int behind = ulpdu.length - DdpHeader.UNTAGGED_BYTES;
        if (opcode == Opcode.TERMINATE) {
            summary = new TerminateDissector(problems).dissect(segment, known, behind, rdmap);
            return;
        }
        TerminateCode verdict = opcode.checkLength(behind);
        if (verdict != null) {
            problems.add("%s has %d octets behind the DDP header, expected %d: %s"
                    .formatted(opcode.title(), behind, opcode.headerBytes(), Names.verdict(verdict)));
        }
        int end = DdpHeader.UNTAGGED_BYTES + opcode.headerBytes();
        if (ulpdu.length < end) {
            payload(DdpHeader.UNTAGGED_BYTES);
            return;
        }
        if (known < end) {
            summary += ", header not captured";
            return;
        }
        switch (opcode) {
            case READ_REQUEST -> readRequest();
            case ATOMIC_REQUEST -> atomicRequest();
            case ATOMIC_RESPONSE -> atomicResponse();
            default -> immediate();
        }
        if (ulpdu.length > end) {
            payload(end);
        }
    }

    private void readRequest() {
        ReadRequestView view = new ReadRequestView().wrap(segment, DdpHeader.UNTAGGED_BYTES);
        rdmap.group("readRequest", "Read Request", Fields.of(view));
        summary += ", " + view.size() + " octets from " + place(view.sourceStag(), view.sourceTo()) + " to "
                + place(view.sinkStag(), view.sinkTo());
    }

    private static String place(int stag, long to) {
        return Hexadecimal.word(stag) + "/" + Hexadecimal.brief(to);
    }

    private void atomicRequest() {
        AtomicRequestView view = new AtomicRequestView().wrap(segment, DdpHeader.UNTAGGED_BYTES);
        TerminateCode verdict = view.check(draftSwap);
        if (verdict != null) {
            problems.add(
                    "AOpCode %d is not one of RFC 7306: %s".formatted(view.operationCode(), Names.verdict(verdict)));
        }
        boolean add = view.operationCode() == 0;
        String name = Names.atomic(view.operationCode());
        rdmap.group(
                "atomicRequest",
                "Atomic Request",
                new Fields()
                        .count("reserved", "Reserved", view.reserved())
                        .count("operationCode", "Atomic Operation Code", view.operationCode())
                        .text("operation", "Atomic Operation", name)
                        .hex32("requestId", "Request Identifier", view.requestId())
                        .hex32("remoteStag", "Remote STag", view.remoteStag())
                        .hex64("remoteTo", "Remote Tagged Offset", view.remoteTo())
                        .hex64("data", add ? "Add Data" : "Swap Data", view.data())
                        .hex64("mask", add ? "Add Mask" : "Swap Mask", view.mask())
                        .hex64("compare", "Compare Data", view.compare())
                        .hex64("compareMask", "Compare Mask", view.compareMask()));
        String operands = add
                ? Hexadecimal.brief(view.data()) + " mask " + Hexadecimal.brief(view.mask())
                : "%s mask %s, if %s mask %s"
                        .formatted(
                                Hexadecimal.brief(view.data()),
                                Hexadecimal.brief(view.mask()),
                                Hexadecimal.brief(view.compare()),
                                Hexadecimal.brief(view.compareMask()));
        summary += ", id " + Hexadecimal.word(view.requestId()) + ", " + name + " "
                + place(view.remoteStag(), view.remoteTo()) + " " + operands;
    }

    private void atomicResponse() {
        AtomicResponseView view = new AtomicResponseView().wrap(segment, DdpHeader.UNTAGGED_BYTES);
        rdmap.group(
                "atomicResponse",
                "Atomic Response",
                new Fields()
                        .hex32("requestId", "Original Request Identifier", view.requestId())
                        .hex64("original", "Original Remote Data Value", view.original()));
        summary += ", id " + Hexadecimal.word(view.requestId()) + ", was " + Hexadecimal.brief(view.original());
    }

    private void immediate() {
        ImmediateDataView view = new ImmediateDataView().wrap(segment, DdpHeader.UNTAGGED_BYTES);
        rdmap.hex64("immediateData", "Immediate Data", view.immediate());
        summary += ", 0x" + Hexadecimal.digits(view.immediate(), 2 * ImmediateDataView.BYTES);
    }

    private void payload(int offset) {
        rdmap.count("payloadLength", "Payload length", ulpdu.length - offset);
        payload = Arrays.copyOfRange(ulpdu, Math.min(offset, known), known);
    }
}
