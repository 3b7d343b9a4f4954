package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/guide/watching.md names what the sources have: loggers, levels, events. */
class WatchingGuideTest {
    private static final List<String> MODULES = List.of(
            "bindings",
            "memory",
            "provider/api",
            "provider/channel",
            "provider/cli",
            "provider/disni",
            "provider/ibverbs",
            "provider/iwarp",
            "provider/micrometer",
            "provider/sockets",
            "provider/testkit");
    /** Lines of which so many a minute are at INFO, and the rest at DEBUG. */
    private static final Pattern LIMITED = Pattern.compile("Lines\\.log\\(\\s*LOGGER,\\s*(\\w+)\\.class");

    private static final Pattern LATER =
            Pattern.compile("DeferredLog\\.log\\(\\s*(\\w+)\\.class,\\s*(?:System\\.Logger\\.)?Level\\.([A-Z]+)");
    private static final Pattern AT_ONCE = Pattern.compile("\\.log\\(([^,]*),");
    private static final Pattern LEVEL = Pattern.compile("\\bLevel\\.([A-Z]+)");
    private static final Pattern EVENT = Pattern.compile("(?:@Name\\(|type\\(\\s*)\"(verbs\\.\\w+)\"");
    private static final Pattern ROW = Pattern.compile("\\| (`[\\w.]+`(?:, `[\\w.]+`)*) \\| ([A-Z, ]+) \\|.*");

    private final Path root = Checkout.ROOT;

    private List<String> guide() throws IOException {
        return Files.readAllLines(root.resolve("docs/guide/watching.md"));
    }

    private List<String> sources() throws IOException {
        List<String> all = new java.util.ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/main/java"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    all.add(Files.readString(file));
                }
            }
        }
        return all;
    }

    private static String find(String pattern, String source) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(source)
                .results()
                .findFirst()
                .map(found -> found.group(1))
                .orElse("");
    }

    @Test
    void loggersAndLevelsAreThoseOfTheSources() throws Exception {
        Map<String, TreeSet<String>> used = new TreeMap<>();
        for (String source : sources()) {
            String place = find("^package ([\\w.]+);", source) + ".";
            String type =
                    find("^(?:public )?(?:final |abstract |sealed )*(?:class|record|interface|enum) (\\w+)", source);
            if (type.equals("DeferredLog")) {
                continue; // it writes what others give it
            }
            LATER.matcher(source)
                    .results()
                    .forEach(each -> used.computeIfAbsent(place + each.group(1), key -> new TreeSet<>())
                            .add(each.group(2)));
            LIMITED.matcher(source)
                    .results()
                    .forEach(each -> used.computeIfAbsent(place + each.group(1), key -> new TreeSet<>())
                            .addAll(List.of("DEBUG", "INFO")));
            String name = find("getLogger\\(\"([\\w.]+)\"\\)", source);
            if (source.contains("System.getLogger(")) {
                AT_ONCE.matcher(source)
                        .results()
                        .flatMap(each -> LEVEL.matcher(each.group(1)).results())
                        .forEach(each -> used.computeIfAbsent(
                                        name.isEmpty() ? place + type : name, key -> new TreeSet<>())
                                .add(each.group(1)));
            }
        }

        Map<String, TreeSet<String>> documented = new TreeMap<>();
        for (String line : guide()) {
            ROW.matcher(line).results().forEach(row -> {
                String place = "org.panamaverbs.";
                for (String name : row.group(1).replace("`", "").split(", ", -1)) {
                    // Without a dot it is in the package of the name before it.
                    String logger = name.contains(".") ? "org.panamaverbs." + name : place + name;
                    place = logger.substring(0, logger.lastIndexOf('.') + 1);
                    documented.put(
                            logger,
                            new TreeSet<>(Arrays.asList(row.group(2).strip().split(", ", -1))));
                }
            });
        }
        assertThat(documented).isEqualTo(used);
    }

    @Test
    void eventsAreThoseOfTheSources() throws Exception {
        TreeSet<String> made = new TreeSet<>();
        for (String source : sources()) {
            EVENT.matcher(source).results().map(each -> each.group(1)).forEach(made::add);
        }

        List<String> documented = guide().stream()
                .flatMap(line -> Pattern.compile("^\\| `(verbs\\.[A-Z]\\w+)`")
                        .matcher(line)
                        .results())
                .map((MatchResult found) -> found.group(1))
                .sorted()
                .toList();
        assertThat(documented).containsExactlyElementsOf(made);
    }
}
