package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the API has of each function of libibverbs and librdmacm is said, and true of both. */
class VerbsCoverageTest {
    private static final Path DOCUMENT = Path.of("../../docs/verbs-coverage.md");
    private static final List<Path> HEADERS =
            List.of(Path.of("/usr/include/infiniband/verbs.h"), Path.of("/usr/include/rdma/rdma_cma.h"));
    private static final List<String> PACKAGES = List.of(
            "org.panamaverbs.api.",
            "org.panamaverbs.api.cm.",
            "org.panamaverbs.api.cm.outofband.",
            "org.panamaverbs.api.device.",
            "org.panamaverbs.api.ext.",
            "org.panamaverbs.memory.");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern DECLARED = Pattern.compile(
            "^(?:static inline )?[a-z_][\\w ]*[ *\\n]+((?:ibv|rdma|mbps|mult)_\\w+)\\s*\\(", Pattern.MULTILINE);
    private static final String CLOSE = "close";
    private static final int IN_A_LINE = 6;
    private static final String NEWER = "newer than rdma-core 44";

    private enum Status {
        WHOLE("yes"),
        PART("in part"),
        IMPLICIT("internal"),
        MISSING("no");

        private final String text;

        Status(String text) {
            this.text = text;
        }
    }

    /** One line of the resource: {@code methods} are of the API, {@code remark} tells what differs, or why none is. */
    private record Row(String section, String function, Status status, List<String> methods, String remark) {
        static Row of(String section, String line) {
            String[] cells = line.split("\\|", -1);
            assertThat(cells).as(line).hasSize(4);
            List<String> methods = Stream.of(cells[2].split(",", -1))
                    .map(String::strip)
                    .filter(method -> !method.isEmpty())
                    .toList();
            return new Row(
                    section,
                    cells[0].strip(),
                    Status.valueOf(cells[1].strip().toUpperCase(Locale.ROOT)),
                    methods,
                    cells[3].strip());
        }

        /** Returns what functions have in common that share a line: status, remark and type, or that they close. */
        List<String> kind() {
            if (methods.size() != 1) {
                return List.of(status.text, remark, String.join(" ", methods));
            }
            String[] names = methods.getFirst().split("\\.", -1);
            return List.of(status.text, remark, names[1].equals(CLOSE) ? CLOSE : names[0]);
        }

        /** Returns the line of functions of one kind, and their methods in the same order. */
        static String line(List<Row> rows) {
            Row first = rows.getFirst();
            String java = first.methods.stream().map(Row::code).collect(Collectors.joining(", "));
            boolean same = rows.stream().map(Row::methods).distinct().count() == 1;
            if (!same && first.kind().getLast().equals(CLOSE)) {
                java = "`close` of " + parts(rows, 0).map(Row::code).collect(Collectors.joining(", "));
            } else if (!same) {
                java += ", " + parts(rows, 1).skip(1).map(Row::code).collect(Collectors.joining(", "));
            }
            String functions = rows.stream().map(row -> code(row.function)).collect(Collectors.joining(", "));
            String between = java.isEmpty() || first.remark.isEmpty() ? "" : "; ";
            return "| " + functions + " | " + first.status.text + " | " + java + between
                    + first.remark.replace("shown over the stub alone", "*stub*") + " |\n";
        }

        private static Stream<String> parts(List<Row> rows, int index) {
            return rows.stream().map(row -> row.methods.getFirst().split("\\.", -1)[index]);
        }

        private static String code(String name) {
            return "`" + name + "`";
        }
    }

    private static List<Row> rows() throws IOException {
        try (var resource = VerbsCoverageTest.class.getResourceAsStream("verbs-coverage.txt")) {
            String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
            List<Row> rows = new ArrayList<>();
            String section = "";
            for (String line : text.lines().toList()) {
                if (line.startsWith("[")) {
                    section = line.substring(1, line.length() - 1);
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    rows.add(Row.of(section, line));
                }
            }
            return rows;
        }
    }

    private static Set<String> declared() throws IOException {
        Set<String> functions = new TreeSet<>();
        for (Path header : HEADERS) {
            assumeTrue(Files.isReadable(header), header + ": apt-get install libibverbs-dev librdmacm-dev");
            String text =
                    COMMENT.matcher(Files.readString(header)).replaceAll("").replace("\\\n", " ");
            DECLARED.matcher(text).results().map(found -> found.group(1)).forEach(functions::add);
        }
        return functions;
    }

    @Test
    void eachFunctionOfTheHeadersHasOneLine() throws IOException {
        Set<String> declared = declared();
        assertThat(declared).as("read from the headers").contains("ibv_post_send", "ibv_wr_start", "rdma_connect");
        List<String> told = rows().stream().map(Row::function).toList();
        assertThat(told).doesNotHaveDuplicates().containsAll(declared);
        assertThat(rows().stream().filter(row -> !row.section.equals(NEWER)).map(Row::function))
                .as("what no header declares")
                .allMatch(declared::contains);
    }

    @Test
    void eachMethodThatIsNamedIsThere() throws IOException {
        for (Row row : rows()) {
            boolean named = row.status == Status.WHOLE || row.status == Status.PART;
            assertThat(row.methods.isEmpty()).as(row.function).isEqualTo(!named);
            assertThat(row.status == Status.WHOLE || !row.remark.isEmpty())
                    .as("%s says why, or what is missing", row.function)
                    .isTrue();
            for (String method : row.methods) {
                assertThat(exists(method)).as("%s: %s", row.function, method).isTrue();
            }
        }
    }

    private static boolean exists(String method) {
        String[] names = method.split("\\.", -1);
        return PACKAGES.stream().anyMatch(each -> {
            try {
                return Arrays.stream(Class.forName(each + names[0]).getMethods())
                        .anyMatch(found -> found.getName().equals(names[1]));
            } catch (ClassNotFoundException e) {
                return false;
            }
        });
    }

    /** With {@code -Dverbs.coverage=FILE} the document is written there instead. */
    @Test
    void theDocumentSaysTheSame() throws IOException {
        String text = document(rows());
        String file = System.getProperty("verbs.coverage");
        if (file != null) {
            Files.writeString(Path.of(file), text);
            return;
        }
        // In the lab's VM the tests run elsewhere: in the root of a checkout, or where there is none.
        assumeTrue(
                Files.isDirectory(Path.of("src/test/java/org/panamaverbs/ibverbs")), "not in the module's directory");
        assertThat(DOCUMENT)
                .as("written from verbs-coverage.txt: provider/quick ibverbs VerbsCoverageTest --"
                        + " -Dverbs.coverage=$PWD/docs/verbs-coverage.md")
                .content()
                .isEqualTo(text);
    }

    private static String document(List<Row> rows) {
        StringBuilder text = new StringBuilder("""
                # What the API has of libibverbs and librdmacm

                Each function of the headers. **yes**: a method does it. **in part**: a method does some of it. **internal**: the
                library calls it, or Java has no use for it. **no**: no method does it, for the reason given. *stub*: shown over a
                stub of libibverbs only, since no software device has it. Functions of one type share a line, with their methods in
                the same order.

                Generated by `VerbsCoverageTest` of the provider ibverbs from `verbs-coverage.txt`. The test fails if a function of
                the headers has no line, or a line names a method that does not exist.
                """);
        for (String section : rows.stream().map(Row::section).distinct().toList()) {
            List<Row> those =
                    rows.stream().filter(row -> row.section.equals(section)).toList();
            text.append("\n## ").append(section).append("\n\n");
            text.append(Stream.of(Status.values())
                    .map(status ->
                            those.stream().filter(row -> row.status == status).count() + " " + status.text)
                    .collect(Collectors.joining(", ", "Of " + those.size() + " functions: ", ".\n\n")));
            text.append("| function | | Java |\n|---|---|---|\n");
            those.stream()
                    .collect(Collectors.groupingBy(Row::kind, LinkedHashMap::new, Collectors.toList()))
                    .values()
                    .forEach(alike -> {
                        for (int i = 0; i < alike.size(); i += IN_A_LINE) {
                            text.append(Row.line(alike.subList(i, Math.min(i + IN_A_LINE, alike.size()))));
                        }
                    });
        }
        return text.toString();
    }
}
