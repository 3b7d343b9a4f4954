package org.panamaverbs.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.panamaverbs.cli.decode.iwarp.Event;
import org.panamaverbs.iwarp.wire.Opcode;

/**
 * The worked examples of the wire formats, computed by an independent implementation, each in a connection of its own.
 */
class FramesTest {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Path EXAMPLES = MODULE.resolve("../iwarp/src/test/resources/wire/frames.json");
    private static final Path GOLDEN = MODULE.resolve("src/test/resources/decode/frames.txt");
    private static final Pattern EXAMPLE = Pattern.compile(
            "\"id\": \"(\\w+)\",\\s*\"title\": \"((?:[^\"\\\\]|\\\\.)*)\",\\s*\"hex\": \"([0-9a-f]+)\"");

    /** Titles and octets. */
    private static Map<String, byte[]> examples() throws IOException {
        Map<String, byte[]> examples = new LinkedHashMap<>();
        Matcher matcher = EXAMPLE.matcher(Files.readString(EXAMPLES));
        while (matcher.find()) {
            examples.put(
                    matcher.group(1) + " " + matcher.group(2).replace("\\\"", "\""),
                    HexFormat.of().parseHex(matcher.group(3)));
        }
        return examples;
    }

    private static byte[] example(String id) throws IOException {
        return examples().entrySet().stream()
                .filter(example -> example.getKey().startsWith(id + " "))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    private static Decoded decode(String title, byte[] octets) {
        byte[] request = Fpdus.mpa(false, true, false);
        CaptureBuilder capture = new CaptureBuilder().open();
        if (title.startsWith("M")) {
            boolean reply = title.toLowerCase(Locale.ROOT).contains("reply");
            return Decoded.of((reply ? capture.send(request).answer(octets) : capture.send(octets)).pcap());
        }
        boolean markers = title.startsWith("X");
        capture.send(request).answer(Fpdus.mpa(true, true, markers));
        return Decoded.of(capture.send(octets).pcap());
    }

    /** Each alone on a connection, where those of the middle of a conversation are out of order, and told to be. */
    @Test
    void saysWhatEachExampleIs() throws IOException {
        StringJoiner all = new StringJoiner("\n", "", "\n");
        for (var example : examples().entrySet()) {
            // Figure 6 of RFC 5044 begins in the middle of a stream, 492 octets after a marker.
            if (example.getKey().startsWith("X02")) {
                continue;
            }
            Event.Unit unit =
                    decode(example.getKey(), example.getValue()).units().getLast();
            all.add(example.getKey()).add("    " + unit.title() + "  " + unit.summary());
            unit.problems().forEach(problem -> all.add("    ! " + problem));
        }
        Files.createDirectories(MODULE.resolve("target/decode"));
        Files.writeString(MODULE.resolve("target/decode/frames.txt"), all.toString());

        assertThat(all).hasToString(Files.readString(GOLDEN));
    }

    @Test
    void figure6OfRfc5044HasItsMarkerInside() throws IOException {
        CaptureBuilder capture = new CaptureBuilder().open().send(Fpdus.mpa(false, true, false));
        capture.answer(Fpdus.mpa(true, true, true)).send(example("X01"));
        // Fills the stream up to octet 492, as the figure says: an FPDU of 440 octets without a marker.
        byte[] filler = Ulpdus.tagged(Opcode.RDMA_WRITE, 1, 0, 440 - 20, true);
        Decoded decoded = Decoded.of(capture.send(filler).send(example("X02")).pcap());

        assertThat(decoded.problems()).isEmpty();
        assertThat(decoded.fpdus(true)).first().isEqualTo("send MSN 1 MO 0, 24 octets, last");
        assertThat(decoded.fpdus(true)).last().isEqualTo("send MSN 2 MO 0, 24 octets, last");
    }
}
