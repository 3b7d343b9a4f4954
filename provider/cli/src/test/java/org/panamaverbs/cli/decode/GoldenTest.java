package org.panamaverbs.cli.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.cli.CommandRun;

/**
 * All that is printed of the example captures. What differs is left in target/decode, to be looked at and taken over.
 */
class GoldenTest {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath();

    static Stream<Path> captures() {
        return Decoded.captures().stream();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void printsAllFields(Path capture) throws IOException {
        compare(
                capture,
                "txt",
                CommandRun.of("decode", "-v", "-x", capture.toString()).out());
    }

    @ParameterizedTest
    @MethodSource("captures")
    void printsJson(Path capture) throws IOException {
        compare(
                capture,
                "jsonl",
                CommandRun.of("decode", "--json", "-x", capture.toString()).out());
    }

    @Test
    void everyNameInTheJsonIsInTheGuide() throws IOException {
        String guide = Files.readString(MODULE.resolve("../../docs/guide/decode.md"));
        Set<String> names = new TreeSet<>();
        for (Path capture : Decoded.captures()) {
            Matcher name = Pattern.compile("\"(\\w+)\":")
                    .matcher(CommandRun.of("decode", "--json", "-x", capture.toString())
                            .out());
            while (name.find()) {
                names.add(name.group(1));
            }
        }

        assertThat(names)
                .hasSizeGreaterThan(70)
                .allMatch(name -> guide.contains("`" + name + "`") || guide.contains("." + name + "`"), "in the guide");
    }

    private static void compare(Path capture, String suffix, String printed) throws IOException {
        String name = capture.getFileName().toString().replace("pcap", suffix);
        Path golden = MODULE.resolve("src/test/resources/decode").resolve(name);
        Path actual = MODULE.resolve("target/decode").resolve(name);
        Files.createDirectories(actual.getParent());
        Files.writeString(actual, printed);

        assertThat(golden).exists();
        assertThat(printed).isEqualTo(Files.readString(golden));
    }
}
