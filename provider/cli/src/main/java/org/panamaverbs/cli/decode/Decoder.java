package org.panamaverbs.cli.decode;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.Set;
import org.panamaverbs.cli.decode.capture.CaptureReader;
import org.panamaverbs.cli.decode.capture.Packet;
import org.panamaverbs.cli.decode.iwarp.Assumption;
import org.panamaverbs.cli.decode.iwarp.Event;
import org.panamaverbs.cli.decode.iwarp.MpaConnections;
import org.panamaverbs.cli.decode.tcp.Budget;
import org.panamaverbs.cli.decode.tcp.ConnectionTable;
import org.panamaverbs.cli.decode.tcp.PacketParser;
import org.panamaverbs.cli.decode.tcp.Parsed;
import org.panamaverbs.cli.decode.tcp.Parsed.Reason;
import org.panamaverbs.cli.decode.tcp.TcpSegment;
import org.panamaverbs.iwarp.wire.Crc32c;

/** Leads a capture from its file to the printer, packet by packet. */
final class Decoder {
    /** Octets of unfinished business that all connections together may hold. */
    static final long MAX_HELD_BYTES = 64 << 20;

    private static final int INPUT_BYTES = 1 << 18;
    private static final int PACKETS_A_CHECK = 4096;

    private final EventPrinter printer;
    private final Filter filter;
    private final Summary summary = new Summary();
    private final Set<Reason> noted = EnumSet.noneOf(Reason.class);
    private final ConnectionTable table;

    Decoder(EventPrinter printer, Filter filter, Assumption assumption) {
        this(printer, filter, assumption, new Budget(MAX_HELD_BYTES));
    }

    Decoder(EventPrinter printer, Filter filter, Assumption assumption, Budget budget) {
        this.printer = printer;
        this.filter = filter;
        table = new ConnectionTable(
                new MpaConnections(assumption, this::print, summary::nextConnection, budget, new Crc32c()), budget);
    }

    Summary summary() {
        return summary;
    }

    /**
     * Prints all of a capture, and what it amounts to.
     *
     * @param live whether to flush the output after each packet
     * @param out what is printed to; it is given up when that cannot be
     * @throws IOException if the capture ends in the middle; what was before is printed
     */
    void decode(InputStream stream, Progress progress, boolean live, PrintWriter out) throws IOException {
        CaptureReader reader = CaptureReader.of(new BufferedInputStream(stream, INPUT_BYTES));
        try {
            Packet packet = reader.next();
            while (packet != null) {
                packet(packet);
                if (live) {
                    out.flush();
                }
                if (summary.packets % PACKETS_A_CHECK == 0) {
                    progress.at(summary.packets, reader.position());
                    if (out.checkError()) {
                        return;
                    }
                }
                packet = reader.next();
            }
        } finally {
            progress.end();
            table.finish();
            summary.connections(table.met(), table.evicted());
            printer.summary(summary);
        }
    }

    private void packet(Packet packet) {
        summary.packet(packet);
        switch (PacketParser.parse(packet)) {
            case Parsed.Segment found -> {
                TcpSegment segment = found.segment();
                if (table.segment(segment) && segment.payload().isCutOff()) {
                    summary.cutOff(packet);
                }
            }
            case Parsed.PassedOver passed -> {
                summary.passedOver(packet, passed.reason());
                if (passed.reason().noteworthy() && noted.add(passed.reason())) {
                    note(packet, "frame " + packet.frame() + " is skipped: " + passed.detail());
                }
            }
        }
    }

    private void note(Packet packet, String text) {
        print(new Event.Note(null, packet.frame(), packet.timeNanos(), text, false));
    }

    private void print(Event event) {
        summary.event(event);
        if (filter.admits(event)) {
            printer.event(event, summary.firstNanos);
        }
    }
}
