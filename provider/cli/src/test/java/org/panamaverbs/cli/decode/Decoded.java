package org.panamaverbs.cli.decode;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.panamaverbs.cli.decode.iwarp.Assumption;
import org.panamaverbs.cli.decode.iwarp.Event;

/**
 * What was found in a capture.
 *
 * @param events all of it, in order
 * @param summary the counts
 */
record Decoded(List<Event> events, Summary summary) {
    /** The example captures: made by an independent implementation, shared with the tests of the wire layer. */
    private static final Path CAPTURES = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .resolve("../iwarp/src/test/resources/wire/pcap")
            .normalize();

    /** All example captures, by name. */
    static List<Path> captures() {
        try (Stream<Path> files = Files.list(CAPTURES)) {
            return files.filter(file -> file.toString().endsWith(".pcap"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The example capture of this name. */
    static Path capture(String name) {
        return CAPTURES.resolve(name + ".pcap");
    }

    /** The octets of the example capture of this name. */
    static byte[] octets(String name) {
        try {
            return Files.readAllBytes(capture(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Decoded of(byte[] capture) {
        return of(capture, Assumption.NONE);
    }

    static Decoded of(byte[] capture, Assumption assumption) {
        List<Event> events = new ArrayList<>();
        EventPrinter collector = new EventPrinter() {
            @Override
            public void event(Event event, long firstNanos) {
                events.add(event);
            }

            @Override
            public void summary(Summary summary) {}
        };
        Decoder decoder = new Decoder(collector, new Filter(Set.of(), Set.of()), assumption);
        PrintWriter out = new PrintWriter(new StringWriter());
        try {
            decoder.decode(new ByteArrayInputStream(capture), new Progress(out, 0), false, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Decoded(events, decoder.summary());
    }

    /** The MPA frames and FPDUs. */
    List<Event.Unit> units() {
        return events.stream()
                .filter(Event.Unit.class::isInstance)
                .map(Event.Unit.class::cast)
                .toList();
    }

    /** Kind and summary of each FPDU of one direction. */
    List<String> fpdus(boolean fromOpener) {
        return units().stream()
                .filter(unit -> unit.place().flow().fromOpener() == fromOpener)
                .filter(unit -> !unit.kind().startsWith("mpa-"))
                .map(unit -> unit.kind() + " " + unit.summary())
                .toList();
    }

    /** The texts of all notes. */
    List<String> notes() {
        return events.stream()
                .filter(Event.Note.class::isInstance)
                .map(event -> ((Event.Note) event).text())
                .toList();
    }

    /** Everything that is wrong. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (Event event : events) {
            switch (event) {
                case Event.Unit unit -> problems.addAll(unit.problems());
                case Event.End end -> {}
                case Event.Note note -> {
                    if (note.problem()) {
                        problems.add(note.text());
                    }
                }
            }
        }
        return problems;
    }
}
