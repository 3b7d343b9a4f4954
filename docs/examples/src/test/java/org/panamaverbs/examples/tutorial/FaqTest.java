package org.panamaverbs.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the FAQ quotes is what the code says. */
class FaqTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern MESSAGE = Pattern.compile("(?m)^\\| `([^`]*)` \\|");
    private static final List<String> MODULES =
            List.of("memory", "bindings", "provider/api", "provider/channel", "provider/iwarp", "provider/ibverbs");
    private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");

    private static String sources() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    all.append(Files.readString(file));
                }
            }
        }
        return JOINT.matcher(all).replaceAll("");
    }

    @Test
    void everyQuotedMessageIsInTheCode() throws IOException {
        String sources = sources();
        List<MatchResult> messages = MESSAGE.matcher(Files.readString(ROOT.resolve("docs/guide/learn/faq.md")))
                .results()
                .toList();
        List<String> unknown = new ArrayList<>();
        for (MatchResult message : messages) {
            for (String part : message.group(1).split(Pattern.quote("..."), -1)) {
                // What is left between two names may be a word of a format, such as a comma.
                if (part.strip().length() > 4 && !sources.contains(part.strip())) {
                    unknown.add(part.strip() + "  in: " + message.group(1));
                }
            }
        }

        assertThat(messages).hasSizeGreaterThan(20);
        assertThat(unknown).isEmpty();
    }
}
