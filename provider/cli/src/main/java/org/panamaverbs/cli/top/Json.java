package org.panamaverbs.cli.top;

import jdk.jfr.ValueDescriptor;
import org.panamaverbs.api.device.Counter;
import org.panamaverbs.cli.command.JsonWriter;
import org.panamaverbs.cli.top.Samples.Snapshot;

/** Writes a snapshot as JSON in one line: each number of the events by its name, and what grew in a second. */
final class Json {
    private Json() {}

    static String of(long pid, Snapshot snapshot) {
        JsonWriter json = JsonWriter.inOneLine().object().field("pid", pid);
        json.name("devices").array();
        snapshot.devices().forEach(each -> write(json, each));
        json.end().name("queuePairs").array();
        snapshot.queuePairs().forEach(each -> write(json, each));
        json.end().name("channels").array();
        snapshot.channels().forEach(each -> write(json, each));
        return json.end().end().toString();
    }

    private static void write(JsonWriter json, Sample sample) {
        json.object().field("time", sample.time().toString());
        for (ValueDescriptor field : sample.event().getFields()) {
            switch (field.getTypeName()) {
                case "int", "long" -> {
                    if (!field.getName().equals("startTime")) {
                        json.field(field.getName(), sample.event().getLong(field.getName()));
                    }
                }
                case "java.lang.String" -> json.field(field.getName(), sample.text(field.getName()));
                default -> {
                    // Of every event: thread, stack.
                }
            }
        }
        json.name("perSecond").object();
        for (Counter each : Counter.values()) {
            if (each.kind() == Counter.Kind.COUNT) {
                rate(json, sample, each.field());
            }
        }
        Samples.CHANNEL_COUNTS.forEach(each -> rate(json, sample, each));
        json.end().end();
    }

    private static void rate(JsonWriter json, Sample sample, String field) {
        double rate = sample.perSecond(field);
        if (!Double.isNaN(rate)) {
            json.name(field).value(rate, 1);
        }
    }
}
