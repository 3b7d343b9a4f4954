package org.panamaverbs.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.panamaverbs.testkit.Requirement;

/**
 * Holds docs/conformance.md against the tests: a row is met exactly if tests name it by {@link Requirement}. With
 * {@code -Dconformance.update=true} the table's last two columns are written anew.
 */
class ConformanceTableTest {
    private static final Path TABLE = Path.of("../../docs/conformance.md");
    private static final Pattern ROW = Pattern.compile("^\\| ([A-Z0-9]+-\\S+) \\|(.*)\\| ([a-z]+) \\|(.*)\\|$");
    private static final int ROWS = 591;
    private static final String COUNTS = "Rows by status: ";

    private static final Map<String, TreeSet<String>> PROOFS = new TreeMap<>();

    @BeforeAll
    static void collectProofs() {
        for (JavaClass found : new ClassFileImporter().importPackages("org.panamaverbs")) {
            if (found.getSimpleName().endsWith("Test") || found.getSimpleName().endsWith("Conformance")) {
                Class<?> type = found.reflect();
                add(type.getAnnotationsByType(Requirement.class), type.getSimpleName());
                for (Method method : type.getDeclaredMethods()) {
                    add(method.getAnnotationsByType(Requirement.class), type.getSimpleName() + "#" + method.getName());
                }
            }
        }
    }

    private static void add(Requirement[] requirements, String proof) {
        for (Requirement requirement : requirements) {
            for (String id : requirement.value()) {
                PROOFS.computeIfAbsent(id, key -> new TreeSet<>()).add(proof);
            }
        }
    }

    @Test
    void tableAndTestsAgree() throws IOException {
        List<String> lines = Files.readAllLines(TABLE);
        List<String> rows = lines.stream().map(ConformanceTableTest::update).toList();
        List<String> updated = rows.stream()
                .map(line -> line.startsWith(COUNTS) ? counts(rows) : line)
                .toList();
        if (Boolean.getBoolean("conformance.update")) {
            Files.write(TABLE, updated);
            return;
        }
        assertThat(lines)
                .as("docs/conformance.md is stale: run the tests of provider/iwarp with -Dconformance.update=true")
                .isEqualTo(updated);
    }

    @Test
    void everyRequirementHasItsRow() throws IOException {
        List<String> ids = new ArrayList<>();
        for (String line : Files.readAllLines(TABLE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                ids.add(row.group(1));
            }
        }
        assertThat(ids).hasSize(ROWS).doesNotHaveDuplicates().containsAll(PROOFS.keySet());
    }

    private static String counts(List<String> rows) {
        Map<String, Integer> byStatus = new TreeMap<>();
        for (String line : rows) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                byStatus.merge(row.group(3), 1, Integer::sum);
            }
        }
        return COUNTS + byStatus.toString().replaceAll("[{}]", "").replace("=", " ");
    }

    private static String update(String line) {
        Matcher row = ROW.matcher(line);
        if (!row.matches()) {
            return line;
        }
        String id = row.group(1);
        String status = row.group(3);
        TreeSet<String> proofs = PROOFS.get(id);
        if (proofs != null) {
            return "| " + id + " |" + row.group(2) + "| met | " + proofs(proofs) + " |";
        }
        return status.equals("met") ? "| " + id + " |" + row.group(2) + "| open | |" : line;
    }

    // A few are enough to find the rest.
    private static String proofs(Set<String> all) {
        List<String> named =
                all.stream().limit(3).map(proof -> "`" + proof + "`").toList();
        int rest = all.size() - named.size();
        return String.join(", ", named) + (rest > 0 ? " and " + rest + " more" : "");
    }
}
