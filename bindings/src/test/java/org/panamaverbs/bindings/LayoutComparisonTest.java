package org.panamaverbs.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every size, offset and constant of the bindings against a C compiler and the headers of this machine: for the
 * architecture of this machine, and by a cross compiler for the other one that the bindings know.
 */
class LayoutComparisonTest {
    private static final Path JEXTRACT = Path.of("src", "jextract").toAbsolutePath();

    @ParameterizedTest
    @CsvSource({
        "X86_64, IBVERBS",
        "X86_64, RDMACM",
        "X86_64, LIBC",
        "X86_64, FILES",
        "AARCH64, IBVERBS",
        "AARCH64, RDMACM",
        "AARCH64, LIBC",
        "AARCH64, FILES"
    })
    void agreesWithTheCCompiler(Architecture architecture, BoundHeader header, @TempDir Path directory)
            throws Exception {
        var compiler = CCompiler.of(architecture, directory);
        Optional<String> obstacle = compiler.obstacle(header.file(JEXTRACT));
        String what = "layouts of " + header + " on " + architecture;
        obstacle.ifPresent(reason -> System.out.println("skipped: " + what + " are not compared: " + reason));
        assumeTrue(obstacle.isEmpty(), () -> what + " are not compared");

        Facts bound =
                architecture == Architecture.CURRENT ? header.facts(JEXTRACT) : header.facts(architecture, JEXTRACT);
        List<Long> actual = compiler.evaluate(header.file(JEXTRACT), bound.all());

        assertThat(differences(bound.all(), actual)).isEmpty();
        System.out.printf(
                "%s agree with %s: %d structs, %d fields, %d constants%n",
                what, compiler, bound.structs(), bound.fields(), bound.constants());
        if (header != BoundHeader.FILES) {
            IncludeList list = header.list(JEXTRACT);
            assertThat(bound.structs()).isEqualTo(list.types().size());
            assertThat(bound.constants()).isEqualTo(list.constants().size());
        }
        assertThat(bound.fields()).isGreaterThan(bound.structs());
    }

    private static List<String> differences(List<Fact> facts, List<Long> actual) {
        assertThat(actual).hasSameSizeAs(facts);
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < facts.size(); i++) {
            Fact fact = facts.get(i);
            long value = actual.get(i);
            if (fact.atLeast() ? value < fact.value() : value != fact.value()) {
                differences.add(fact.expression() + " is " + value + " in C and " + fact.value() + " here");
            }
        }
        return differences;
    }
}
