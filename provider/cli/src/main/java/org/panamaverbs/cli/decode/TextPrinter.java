package org.panamaverbs.cli.decode;

import java.io.PrintWriter;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.decode.capture.Packet;
import org.panamaverbs.cli.decode.dissect.Field;
import org.panamaverbs.cli.decode.iwarp.Event;
import org.panamaverbs.cli.decode.iwarp.Flow;

/** A line for each event, for people; with all fields below it if wanted. */
final class TextPrinter implements EventPrinter {
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int NANOS_PER_MICRO = 1000;
    private static final int MAX_FRAMES_SHOWN = 3;
    private static final String INDENT = "    ";
    private static final int OCTETS_A_LINE = 16;
    private static final int PRINTABLE_FIRST = 0x20;
    private static final int PRINTABLE_LAST = 0x7E;

    private final PrintWriter out;
    private final boolean allFields;
    private final boolean payload;
    private final BitSet introduced = new BitSet();

    TextPrinter(PrintWriter out, boolean allFields, boolean payload) {
        this.out = out;
        this.allFields = allFields;
        this.payload = payload;
    }

    @Override
    public void event(Event event, long firstNanos) {
        String time = event.timeNanos() == Packet.NO_TIME ? "-" : seconds(event.timeNanos() - firstNanos);
        switch (event) {
            case Event.Unit unit -> {
                introduce(unit.place().flow());
                line("%s  %s  %s  %s  %s"
                        .formatted(
                                time,
                                frames(unit.place().frames()),
                                flow(unit.place().flow()),
                                unit.title(),
                                unit.summary()));
                unit.problems().forEach(problem -> line(INDENT + "! " + problem));
                if (allFields) {
                    unit.fields().forEach(field -> tree(field, 1));
                }
                if (payload) {
                    dump(unit.payload());
                }
            }
            case Event.End end -> {
                introduce(end.flow());
                line("%s  %d  %s  %s".formatted(time, end.frame(), flow(end.flow()), end.reset() ? "RST" : "FIN"));
            }
            case Event.Note note -> {
                introduce(note.flow());
                Flow flow = note.flow();
                line("%s  %d  %s%s %s"
                        .formatted(
                                time,
                                note.frame(),
                                flow == null ? "" : flow(flow) + "  ",
                                note.problem() ? "!" : "*",
                                note.text()));
            }
        }
    }

    private void introduce(@Nullable Flow flow) {
        if (flow == null || introduced.get(flow.connection())) {
            return;
        }
        introduced.set(flow.connection());
        boolean opener = flow.fromOpener();
        line("connection %d: %s > %s%s"
                .formatted(
                        flow.connection(),
                        opener ? flow.from() : flow.to(),
                        opener ? flow.to() : flow.from(),
                        flow.link().isEmpty() ? "" : ", " + flow.link()));
    }

    private static String flow(Flow flow) {
        return flow.connection() + (flow.fromOpener() ? " >" : " <");
    }

    /** Seconds with six decimals, or nine where six are not enough. */
    private static String seconds(long nanos) {
        long size = Math.abs(nanos);
        String sign = nanos < 0 ? "-" : "";
        return size % NANOS_PER_MICRO == 0
                ? String.format(
                        Locale.ROOT,
                        "%s%d.%06d",
                        sign,
                        size / NANOS_PER_SECOND,
                        size % NANOS_PER_SECOND / NANOS_PER_MICRO)
                : String.format(Locale.ROOT, "%s%d.%09d", sign, size / NANOS_PER_SECOND, size % NANOS_PER_SECOND);
    }

    private static String frames(List<Long> frames) {
        if (frames.size() > MAX_FRAMES_SHOWN) {
            return frames.getFirst() + ".." + frames.getLast();
        }
        StringJoiner joiner = new StringJoiner(",");
        frames.forEach(frame -> joiner.add(frame.toString()));
        return joiner.toString();
    }

    private void tree(Field field, int depth) {
        String indent = INDENT.repeat(depth);
        switch (field) {
            case Field.Count count -> line(indent + count.label() + ": " + count.value());
            case Field.Hex hex -> line(indent + hex.label() + ": " + hex.text());
            case Field.Flag flag -> line(indent + flag.label() + ": " + (flag.value() ? 1 : 0));
            case Field.Text text -> line(indent + text.label() + ": " + text.value());
            case Field.Octets octets -> {
                String hex = HexFormat.of().formatHex(octets.value());
                line(indent + octets.label() + ": " + (hex.isEmpty() ? "none" : hex));
            }
            case Field.Group group -> {
                line(indent + group.label());
                group.fields().forEach(inner -> tree(inner, depth + 1));
            }
            case Field.Repeated repeated -> repeated.groups().forEach(group -> tree(group, depth));
        }
    }

    private void dump(byte[] octets) {
        HexFormat hex = HexFormat.of();
        for (int from = 0; from < octets.length; from += OCTETS_A_LINE) {
            int to = Math.min(octets.length, from + OCTETS_A_LINE);
            StringBuilder left = new StringBuilder();
            StringBuilder right = new StringBuilder();
            for (int i = from; i < to; i++) {
                left.append(' ').append(hex.toHexDigits(octets[i]));
                boolean printable = octets[i] >= PRINTABLE_FIRST && octets[i] <= PRINTABLE_LAST;
                right.append(printable ? (char) octets[i] : '.');
            }
            left.repeat(' ', 3 * (OCTETS_A_LINE - (to - from)));
            line(INDENT + hex.toHexDigits(from, 4) + " " + left + "  " + right);
        }
    }

    @Override
    public void summary(Summary summary) {
        if (summary.iwarpConnections == 0) {
            line("no iWARP in " + counted(summary.packets, "packet") + " of "
                    + counted(summary.otherConnections, "TCP connection"));
        } else {
            line("%s, %s, %s, %s"
                    .formatted(
                            counted(summary.iwarpConnections, "connection"),
                            counted(summary.mpaFrames, "MPA frame"),
                            counted(summary.fpdus, "FPDU"),
                            counted(summary.problems, "problem")));
            if (summary.otherConnections > 0) {
                line(counted(summary.otherConnections, "other TCP connection"));
            }
        }
        if (summary.cutOff > 0) {
            line("%s captured only in part, at most %d octets of each"
                    .formatted(counted(summary.cutOff, "packet"), summary.longestCutOff));
        }
        if (summary.evicted > 0) {
            line(counted(summary.evicted, "connection") + " ended early: too many connections at once");
        }
        summary.passedOver.forEach(
                (reason, count) -> line("passed over: " + counted(count, "packet") + ", " + reason.text()));
    }

    private static String counted(long count, String what) {
        return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
    }

    private void line(String text) {
        out.write(text);
        out.write('\n');
    }
}
