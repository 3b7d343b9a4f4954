package org.panamaverbs.cli.decode;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.HexFormat;
import org.panamaverbs.cli.command.JsonWriter;
import org.panamaverbs.cli.decode.capture.Packet;
import org.panamaverbs.cli.decode.dissect.Field;
import org.panamaverbs.cli.decode.iwarp.Event;
import org.panamaverbs.cli.decode.iwarp.Flow;

/** One JSON object for each event, each in a line of its own. The guide's page decode has the names. */
final class JsonPrinter implements EventPrinter {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final PrintWriter out;
    private final boolean payload;

    JsonPrinter(PrintWriter out, boolean payload) {
        this.out = out;
        this.payload = payload;
    }

    @Override
    public void event(Event event, long firstNanos) {
        JsonWriter json = JsonWriter.inOneLine().object();
        switch (event) {
            case Event.Unit unit -> {
                json.field("kind", unit.kind());
                flow(unit.place().flow(), json);
                time(unit.timeNanos(), json);
                json.name("frames").array();
                unit.place().frames().forEach(json::value);
                json.end().field("offset", unit.place().position());
                unit.fields().forEach(field -> write(field, json));
                if (payload) {
                    json.field("payload", HexFormat.of().formatHex(unit.payload()));
                }
                json.name("problems").array();
                unit.problems().forEach(json::value);
                json.end();
            }
            case Event.End end -> {
                json.field("kind", end.kind());
                flow(end.flow(), json);
                time(end.timeNanos(), json);
                json.field("frame", end.frame());
            }
            case Event.Note note -> {
                json.field("kind", "note");
                Flow flow = note.flow();
                if (flow != null) {
                    flow(flow, json);
                }
                time(note.timeNanos(), json);
                json.field("frame", note.frame());
                json.field("problem", note.problem()).field("text", note.text());
            }
        }
        line(json);
    }

    @Override
    public void summary(Summary summary) {
        JsonWriter json = JsonWriter.inOneLine().object().field("kind", "summary");
        json.field("packets", summary.packets)
                .field("connections", summary.iwarpConnections)
                .field("mpaFrames", summary.mpaFrames)
                .field("fpdus", summary.fpdus)
                .field("problems", summary.problems)
                .field("notes", summary.notes)
                .field("otherConnections", summary.otherConnections)
                .field("endedEarly", summary.evicted)
                .field("cutOff", summary.cutOff)
                .name("passedOver")
                .object();
        summary.passedOver.forEach((reason, count) -> json.field(reason.name(), count));
        json.end();
        line(json);
    }

    private void line(JsonWriter json) {
        out.write(json.end().toString());
        out.write('\n');
    }

    private static void flow(Flow flow, JsonWriter json) {
        json.field("connection", flow.connection())
                .field("from", flow.from().toString())
                .field("to", flow.to().toString());
        if (!flow.link().isEmpty()) {
            json.field("link", flow.link());
        }
        json.field("sender", flow.sender().name()).field("fromOpener", flow.fromOpener());
    }

    private static void time(long nanos, JsonWriter json) {
        if (nanos != Packet.NO_TIME) {
            long seconds = Math.floorDiv(nanos, NANOS_PER_SECOND);
            json.field(
                    "time",
                    Instant.ofEpochSecond(seconds, Math.floorMod(nanos, NANOS_PER_SECOND))
                            .toString());
        }
    }

    private static void write(Field field, JsonWriter json) {
        switch (field) {
            case Field.Count count -> json.field(count.name(), count.value());
            case Field.Hex hex -> json.field(hex.name(), hex.text());
            case Field.Flag flag -> json.field(flag.name(), flag.value());
            case Field.Text text -> json.field(text.name(), text.value());
            case Field.Octets octets -> json.field(octets.name(), HexFormat.of().formatHex(octets.value()));
            case Field.Group group -> {
                json.name(group.name());
                object(group, json);
            }
            case Field.Repeated repeated -> {
                json.name(repeated.name()).array();
                repeated.groups().forEach(group -> object(group, json));
                json.end();
            }
        }
    }

    private static void object(Field.Group group, JsonWriter json) {
        json.object();
        group.fields().forEach(field -> write(field, json));
        json.end();
    }
}
