package org.panamaverbs.cli.decode.iwarp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.panamaverbs.cli.decode.dissect.Field;
import org.panamaverbs.cli.decode.dissect.Fields;
import org.panamaverbs.cli.decode.dissect.HeaderCheck;
import org.panamaverbs.cli.decode.dissect.Hexadecimal;
import org.panamaverbs.cli.decode.dissect.MpaFrameDissector;
import org.panamaverbs.cli.decode.dissect.Names;
import org.panamaverbs.cli.decode.dissect.UlpduDissector;
import org.panamaverbs.iwarp.wire.MpaFrame;

/** Makes events of what a direction's buffer begins with. */
final class FpduEvents {
    private static final byte[] NOTHING = {};
    /** Where SMB Direct listens on iWARP. */
    private static final int SMB_DIRECT_PORT = 5445;

    private final StreamBuffer buffer;
    private final MessageCheck messages;
    private final boolean draftSwap;

    FpduEvents(StreamBuffer buffer, MessageCheck messages, boolean draftSwap) {
        this.buffer = buffer;
        this.messages = messages;
        this.draftSwap = draftSwap;
    }

    /**
     * An FPDU.
     *
     * @param lost whether it may be none at all: the framing is in doubt
     */
    record Judged(Event.Unit unit, boolean lost) {}

    /** The MPA frame at the front. */
    Event.Unit mpa(Flow flow, MpaFrame.Frame whole) {
        byte[] flags = new byte[1];
        buffer.copy(MpaFrame.FLAGS, flags, 0, 1);
        MpaFrame frame = whole.frame();
        boolean complete = buffer.firstMissing(0, whole.bytes()) == whole.bytes();
        boolean smbDirect = flow.from().port() == SMB_DIRECT_PORT || flow.to().port() == SMB_DIRECT_PORT;
        return new Event.Unit(
                frame.reply() ? Names.MPA_REPLY : Names.MPA_REQUEST,
                place(flow, whole.bytes()),
                MpaFrameDissector.title(frame),
                MpaFrameDissector.summary(frame, complete, smbDirect),
                MpaFrameDissector.fields(frame, flags[0], complete, smbDirect),
                complete ? frame.privateData().toByteArray() : NOTHING,
                MpaFrameDissector.problems(frame, flags[0]));
    }

    /**
     * The FPDU at the front.
     *
     * @param inOrder whether the other direction is as far as this one
     */
    Judged fpdu(Flow flow, FpduImage image, Crc crc, boolean rdmac, boolean inOrder) {
        List<String> problems = new ArrayList<>();
        Fields mpa = new Fields().count("ulpduLength", "ULPDU length", image.ulpdu().length);
        markers(image, mpa, problems);
        mpa.octets("padding", "Padding", image.pad());
        String state = crcState(image, crc);
        mpa.hex32("crc", "CRC", image.crc().found()).text("crcState", "CRC state", state);
        if (state.equals("bad")) {
            mpa.hex32("crcExpected", "CRC expected", image.crc().expected());
            problems.add("the CRC is " + Hexadecimal.word(image.crc().found()) + ", expected "
                    + Hexadecimal.word(image.crc().expected()));
        }
        if (image.complete() && !Arrays.equals(image.pad(), new byte[image.pad().length])) {
            problems.add("the padding is not zero");
        }
        UlpduDissector.Dissected ulpdu = UlpduDissector.dissect(image.ulpdu(), image.knownBytes(), rdmac, draftSwap);
        boolean lost = state.equals("bad")
                || (!state.equals("good") && !HeaderCheck.plausible(image.ulpdu(), image.ulpdu().length, rdmac));
        problems.addAll(ulpdu.problems());
        if (lost || HeaderCheck.verdict(image.ulpdu(), image.ulpdu().length, rdmac) != null) {
            messages.gap();
        } else {
            messages.segment(image, inOrder, problems);
        }
        List<Field> groups = new ArrayList<>();
        groups.add(mpa.asGroup("mpa", "Marker PDU Aligned framing, CRC " + state));
        groups.addAll(ulpdu.groups());
        String incomplete = image.complete() ? "" : ", not all of it captured";
        Event.Unit unit = new Event.Unit(
                ulpdu.kind(),
                place(flow, image.wireBytes()),
                ulpdu.title(),
                ulpdu.summary() + incomplete,
                groups,
                ulpdu.payload(),
                List.copyOf(problems));
        return new Judged(unit, lost);
    }

    /** Returns where the first {@code wireBytes} of the buffer are. */
    private Event.Place place(Flow flow, int wireBytes) {
        return new Event.Place(flow, buffer.position(), buffer.frames(wireBytes), buffer.timeNanos(wireBytes));
    }

    private static String crcState(FpduImage image, Crc crc) {
        if (crc == Crc.OFF) {
            return "unused";
        }
        if (!image.complete()) {
            return "incomplete";
        }
        if (image.crc().matches()) {
            return "good";
        }
        return crc == Crc.ON ? "bad" : "unknown";
    }

    private static void markers(FpduImage image, Fields mpa, List<String> problems) {
        List<Field.Group> groups = new ArrayList<>();
        for (FpduImage.Marker marker : image.markers()) {
            groups.add(new Fields()
                    .count("offset", "Offset", marker.offset())
                    .hex16("reserved", "Reserved", marker.reserved())
                    .count("pointer", "FPDU pointer", marker.pointer())
                    .asGroup("marker", "Marker"));
            if (marker.pointer() != marker.expected() && image.complete()) {
                problems.add("the marker at octet %d points back %d octets, expected %d"
                        .formatted(marker.offset(), marker.pointer(), marker.expected()));
            }
        }
        mpa.repeated("markers", "Markers", groups);
    }

    /** The first octets of the buffer, at most {@code count}. */
    String hex(int count) {
        byte[] octets = buffer.size() == 0 ? NOTHING : new byte[Math.min(count, buffer.size())];
        buffer.copy(0, octets, 0, octets.length);
        return HexFormat.ofDelimiter(" ").formatHex(octets);
    }
}
