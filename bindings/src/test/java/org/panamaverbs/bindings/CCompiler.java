package org.panamaverbs.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.panamaverbs.bindings.GeneratedFacts.Fact;

/** gcc as the judge of C expressions. */
final class CCompiler {
    private static final long LIMIT_SECONDS = 120;

    private record Outcome(int exitValue, String output) {}

    private final Path directory;

    /** Works in a directory of the caller. */
    CCompiler(Path directory) {
        this.directory = directory;
    }

    /** Why C programs that include this header cannot be compiled here; empty if they can. */
    Optional<String> obstacle(Path header) throws InterruptedException, IOException {
        try {
            Outcome outcome = run("gcc", "-E", "-o", "preprocessed.i", header.toString());
            return outcome.exitValue == 0 ? Optional.empty() : Optional.of("headers are missing: " + outcome.output);
        } catch (IOException e) {
            return Optional.of("gcc is missing: " + e.getMessage());
        }
    }

    /** The values of the facts' expressions, in order. */
    List<Long> evaluate(Path header, List<Fact> facts) throws IOException, InterruptedException {
        String values = facts.stream()
                .map(fact -> "    (long long) (" + fact.expression() + ")")
                .collect(Collectors.joining(",\n"));
        Files.writeString(directory.resolve("facts.c"), """
                #include "%s"
                #include <stddef.h>
                #include <stdio.h>
                #include <string.h>

                int main(void) {
                    long long values[] = {
                %s
                    };
                    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
                        printf("%%lld\\n", values[i]);
                    return 0;
                }
                """.formatted(header, values));
        Outcome compiled = run("gcc", "-O0", "-w", "-o", "facts", "facts.c");
        assertThat(compiled.exitValue)
                .as("gcc; are the headers older than rdma-core 44?%n%s", compiled.output)
                .isZero();
        Outcome printed = run(directory.resolve("facts").toString());
        assertThat(printed.exitValue).as(printed.output).isZero();
        return printed.output.lines().map(Long::valueOf).toList();
    }

    private Outcome run(String... command) throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(Arrays.toString(command) + " did not end within " + LIMIT_SECONDS + " s");
        }
        return new Outcome(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }
}
