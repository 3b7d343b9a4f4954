package org.panamaverbs.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.panamaverbs.testkit.Requirement;

/**
 * Holds docs/conformance.md and conformance.tsv against the tests: a row is met exactly if tests name it by
 * {@link Requirement}. With {@code -Dconformance.update=true} both are written anew.
 */
class ConformanceTableTest {
    private static final Path DOCUMENT = Path.of("../../docs/conformance.md");
    private static final Path LINES = Path.of("../../docs/conformance.tsv");
    private static final Path RESOURCES = Path.of("src/test/resources/conformance");
    private static final ConformanceProofs PROOFS = ConformanceProofs.collect();

    // The numbers of requirements that were read out of the documents.
    private static final Map<String, Integer> ROWS = Map.of(
            "RDMAP", 170, "EXT", 94, "DRAFT01", 21, "DDP", 99, "MPA", 117, "ENH", 51, "IANA", 4, "SEC", 30, "IPSEC", 5);

    private static List<String> lines(String name) throws IOException {
        return Files.readAllLines(RESOURCES.resolve(name));
    }

    private static ConformanceTable table() throws IOException {
        return new ConformanceTable(lines("requirements.tsv"), lines("untested.tsv"), PROOFS);
    }

    @Test
    void documentSaysWhatTheTestsProve() throws IOException {
        List<String> document = Files.readAllLines(DOCUMENT);
        int mark = document.indexOf(ConformanceTable.MARK);
        assertThat(mark).as("the line " + ConformanceTable.MARK).isPositive();
        List<String> head = document.subList(0, mark + 1);
        if (Boolean.getBoolean("conformance.update")) {
            // What has a test by now needs no reason any more.
            Files.write(
                    RESOURCES.resolve("untested.tsv"),
                    lines("untested.tsv").stream()
                            .filter(line -> !PROOFS.ofRow().containsKey(line.substring(0, line.indexOf('\t'))))
                            .toList());
            List<String> all = new ArrayList<>(head);
            all.add("");
            all.addAll(table().summary());
            Files.write(DOCUMENT, all);
            Files.write(LINES, table().lines());
            return;
        }
        assertThat(table().differences(document.subList(mark + 2, document.size()), Files.readAllLines(LINES)))
                .as(
                        "docs/conformance.md or conformance.tsv is stale: run the tests of provider/iwarp with -Dconformance.update=true")
                .isEmpty();
    }

    @Test
    void everyRowThatBindsHasATestOrAReason() throws IOException {
        assertThat(table().faults()).isEmpty();
    }

    @Test
    void noRequirementIsLost() throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        for (String line : lines("requirements.tsv")) {
            if (!line.startsWith("# ")) {
                counts.merge(line.substring(0, line.indexOf('-')), 1, Integer::sum);
            }
        }
        assertThat(counts).containsExactlyInAnyOrderEntriesOf(ROWS);
    }

    // A small table, to see that the checks above can fail.
    private static ConformanceTable small(String... reasons) {
        Map<String, TreeSet<String>> ofRow = new TreeMap<>(Map.of("X-1-01", new TreeSet<>(Set.of("ATest#a"))));
        ConformanceProofs proofs = new ConformanceProofs(ofRow, Set.of("ATest#a"), Set.of());
        List<String> requirements =
                List.of("# X - some document", "X-1-01\tMUST\tdo", "X-1-02\tMUST NOT\tdo", "X-1-03\tMAY\tdo");
        return new ConformanceTable(requirements, List.of(reasons), proofs);
    }

    private static List<String> differences(UnaryOperator<String> edit) {
        ConformanceTable table = small("X-1-02\texception\tno way");
        return table.differences(edited(table.summary(), edit), edited(table.lines(), edit));
    }

    private static List<String> edited(List<String> lines, UnaryOperator<String> edit) {
        return lines.stream().map(edit).filter(line -> !line.equals("gone")).toList();
    }

    @Test
    void acceptsTheDocumentAsItWasGenerated() {
        assertThat(differences(line -> line)).isEmpty();
        assertThat(small("X-1-02\texception\tno way").faults()).isEmpty();
        assertThat(small("X-1-02\texception\tno way").summary())
                .contains(
                        "| X: some document | 3 | 1 | 1 | 0 | 0 | 1 |",
                        "| X-1-02 | do | MUST NOT | exception | no way |");
        assertThat(small("X-1-02\texception\tno way").lines())
                .contains("X-1-01\tMUST\tmet\tdo\tATest#a", "X-1-02\tMUST NOT\texception\tdo\tno way");
    }

    @Test
    void noticesRowsThatNameMissingTests() {
        assertThat(differences(line -> line.replace("ATest#a", "ATest#b")))
                .contains("X-1-01 names ATest#b, which is no test");
    }

    @Test
    void noticesBindingRowsWithoutTestAndReason() {
        assertThat(small().faults()).containsExactly("X-1-02 (MUST NOT) has neither test nor reason");
        assertThat(small("X-1-02\texception\t ").faults())
                .containsExactly("X-1-02 (MUST NOT) has neither test nor reason");
    }

    @Test
    void noticesMissingRows() {
        assertThat(differences(line -> line.startsWith("X-1-03") ? "gone" : line))
                .contains("X-1-03 is missing");
    }

    @Test
    void noticesWrongCounts() {
        assertThat(differences(line -> line.replace("| X: some document | 3 | 1 |", "| X: some document | 3 | 2 |")))
                .anyMatch(found -> found.startsWith("line 3 is stale"));
    }

    @Test
    void noticesReasonsThatContradict() {
        assertThat(small("X-1-01\tnote\tno need", "X-1-02\tmet\tbelieve me", "X-9-99\tnote\tno such row")
                        .faults())
                .containsExactlyInAnyOrder(
                        "X-1-01 has a test and a reason to have none",
                        "X-1-02 cannot be met",
                        "there is a reason for X-9-99, which is no row");
    }
}
