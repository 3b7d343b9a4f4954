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
import org.panamaverbs.bindings.GeneratedFacts.Fact;

/** Every size, offset and constant of the generated code against the C compiler and the headers of this machine. */
class LayoutComparisonTest {
    private static final Path JEXTRACT = Path.of("src", "jextract").toAbsolutePath();

    @ParameterizedTest
    @CsvSource({
        "org.panamaverbs.bindings.ibverbs.Ibverbs, ibverbs, 60, 950, 450",
        "org.panamaverbs.bindings.rdmacm.Rdmacm, rdmacm, 15, 300, 60",
        "org.panamaverbs.bindings.libc.Libc, libc, 15, 90, 350"
    })
    void agreesWithTheCCompiler(
            Class<?> header,
            String name,
            int leastStructs,
            int leastFields,
            int leastConstants,
            @TempDir Path directory)
            throws Exception {
        Path shim = JEXTRACT.resolve(name + ".h");
        var compiler = new CCompiler(directory);
        Optional<String> obstacle =
                NativePlatform.mismatch(System.getProperty("os.name"), System.getProperty("os.arch"));
        if (obstacle.isEmpty()) {
            obstacle = compiler.obstacle(shim);
        }
        if (obstacle.isPresent()) {
            System.out.println("skipped: layouts of " + name + " are not compared: " + obstacle.get());
        }
        assumeTrue(obstacle.isEmpty(), () -> "layouts of " + name + " are not compared");

        var generated = GeneratedFacts.of(header, JEXTRACT.resolve("includes-" + name + ".txt"));
        List<Long> actual = compiler.evaluate(shim, generated.facts());

        assertThat(differences(generated.facts(), actual)).isEmpty();
        System.out.printf(
                "layouts of %s agree with gcc: %d structs, %d fields, %d constants%n",
                name, generated.structs(), generated.fields(), generated.constants());
        assertThat(generated.structs()).isGreaterThanOrEqualTo(leastStructs);
        assertThat(generated.fields()).isGreaterThanOrEqualTo(leastFields);
        assertThat(generated.constants()).isGreaterThanOrEqualTo(leastConstants);
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
