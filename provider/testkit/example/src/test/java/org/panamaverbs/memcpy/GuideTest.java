package org.panamaverbs.memcpy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The guide's page {@code provider} walks through the sources as they are, and they are as few lines as it says. */
class GuideTest {
    private static final Path GUIDE = Path.of("..", "..", "..", "docs", "guide", "provider.md");
    private static final Path MAIN = Path.of("src", "main", "java", "org", "panamaverbs", "memcpy");
    private static final Path TEST = Path.of("src", "test", "java", "org", "panamaverbs", "memcpy");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");
    /** Neither empty, nor a comment, an import or the package. */
    private static final Pattern CODE = Pattern.compile("\\s*(?!//|/?\\*|import |package )\\S.*");

    private static final int MOST_LINES = 450;

    private static List<String> lines(Path directory) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.sorted().toList()) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }

    /** Returns {@code lines} without indentation, each ended by a line feed. */
    private static String text(Stream<String> lines) {
        return lines.map(line -> line.strip() + "\n").collect(Collectors.joining());
    }

    @Test
    void theProviderIsOfFewLines() throws IOException {
        long code = lines(MAIN).stream()
                .filter(line -> CODE.matcher(line).matches())
                .count();
        assertThat(code).isBetween(100L, (long) MOST_LINES);
    }

    @Test
    void everyBlockOfThePageIsInTheSources() throws IOException {
        String sources = "\n" + text(Stream.concat(lines(MAIN).stream(), lines(TEST).stream()));
        List<String> blocks = BLOCK.matcher(Files.readString(GUIDE))
                .results()
                .map(result -> result.group(1))
                .toList();
        assertThat(blocks).hasSizeGreaterThan(4);
        for (String block : blocks) {
            // An ellipsis stands for lines that are left out.
            for (String piece : text(block.lines()).split("(?m)^// \\.\\.\\.\n", -1)) {
                assertThat(sources).contains("\n" + piece);
            }
        }
    }
}
