package org.panamaverbs.iwarp.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The worked examples of the wire formats, computed by an independent implementation: {@code wire/frames.json}. */
public final class Samples {
    private static final Pattern ENTRY =
            Pattern.compile("\"id\": \"(\\w+)\",\\s*\"title\": \"((?:[^\"\\\\]|\\\\.)*)\",\\s*"
                    + "\"hex\": \"([0-9a-f]+)\",\\s*\"ulpdu\": (?:null|\"([0-9a-f]+)\")");

    private static final List<Sample> ALL = load();

    private Samples() {}

    /**
     * One example.
     *
     * @param id such as F05
     * @param title what it is
     * @param bytes the octets on the wire
     */
    public record Sample(String id, String title, Octets bytes) {}

    /** All of them, in file order. */
    public static List<Sample> all() {
        return ALL;
    }

    /** The octets of the example with this id. */
    public static byte[] bytes(String id) {
        return ALL.stream()
                .filter(sample -> sample.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no sample " + id))
                .bytes()
                .toByteArray();
    }

    /** A file below {@code src/test/resources/wire}. */
    public static byte[] resource(String name) {
        try (InputStream stream = Samples.class.getResourceAsStream("/wire/" + name)) {
            if (stream == null) {
                throw new IllegalArgumentException("no test resource wire/" + name);
            }
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Sample> load() {
        List<Sample> samples = new ArrayList<>();
        Matcher matcher = ENTRY.matcher(new String(resource("frames.json"), StandardCharsets.UTF_8));
        while (matcher.find()) {
            String title = matcher.group(2).replace("\\\"", "\"");
            samples.add(
                    new Sample(matcher.group(1), title, Octets.of(HexFormat.of().parseHex(matcher.group(3)))));
        }
        return List.copyOf(samples);
    }
}
