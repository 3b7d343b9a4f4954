package org.panamaverbs.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A C compiler as the judge of C expressions. Nothing that it makes is run, so that it may be a cross compiler. */
final class CCompiler {
    private static final long LIMIT_SECONDS = 120;
    private static final Pattern VALUE = Pattern.compile("\\s*\\.ascii\\s+\"fact [$#]?(-?\\d+)\"");

    private record Outcome(int exitValue, String output) {}

    private final Path directory;
    private final List<String> command;
    private final String remedy;

    private CCompiler(Path directory, List<String> command, String remedy) {
        this.directory = directory;
        this.command = command;
        this.remedy = remedy;
    }

    /** The compiler for an architecture, which works in a directory of the caller. */
    static CCompiler of(Architecture architecture, Path directory) {
        if (architecture == Architecture.CURRENT) {
            return new CCompiler(directory, List.of("gcc"), "apt install gcc libc6-dev");
        }
        return switch (architecture) {
            case X86_64 -> cross("x86_64", "x86-64", "amd64", directory);
            case AARCH64 -> cross("aarch64", "aarch64", "arm64", directory);
            case UNKNOWN -> throw new IllegalArgumentException("no compiler for an unknown architecture");
        };
    }

    // What the compiler's own headers lack, those of libibverbs and librdmacm, is taken from this machine's: they are
    // the same for all architectures. What is not, Debian has in a directory that this path does not show.
    private static CCompiler cross(String cpu, String debianCpu, String libc, Path directory) {
        return new CCompiler(
                directory,
                List.of(cpu + "-linux-gnu-gcc", "-idirafter", "/usr/include"),
                "apt install gcc-" + debianCpu + "-linux-gnu libc6-dev-" + libc + "-cross");
    }

    /** Why C programs that include this header cannot be compiled here; empty if they can. */
    Optional<String> obstacle(Path header) throws InterruptedException, IOException {
        try {
            Outcome outcome = run("-E", "-o", "preprocessed.i", header.toString());
            return outcome.exitValue == 0 ? Optional.empty() : Optional.of("headers are missing: " + outcome.output);
        } catch (IOException e) {
            return Optional.of(this + " is missing (" + remedy + "): " + e.getMessage());
        }
    }

    /** The values of the facts' expressions, in order, as the compiler writes them into its assembly. */
    List<Long> evaluate(Path header, List<Fact> facts) throws IOException, InterruptedException {
        String values = facts.stream()
                .map(fact -> "    FACT(" + fact.expression() + ");")
                .collect(Collectors.joining("\n"));
        Files.writeString(directory.resolve("facts.c"), """
                #include "%s"
                #include <stddef.h>
                #include <string.h>
                #define FACT(x) __asm__ volatile ("\\n.ascii \\"fact %%0\\"\\n" : : "i" ((long long) (x)))

                void facts(void) {
                %s
                }
                """.formatted(header, values));
        Outcome compiled = run("-O0", "-w", "-S", "-o", "facts.s", "facts.c");
        assertThat(compiled.exitValue)
                .as("%s; are the headers older than rdma-core 44?%n%s", this, compiled.output)
                .isZero();
        try (Stream<String> lines = Files.lines(directory.resolve("facts.s"))) {
            return lines.map(VALUE::matcher)
                    .filter(Matcher::matches)
                    .map(matcher -> Long.valueOf(matcher.group(1)))
                    .toList();
        }
    }

    @Override
    public String toString() {
        return command.getFirst();
    }

    private Outcome run(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(arguments));
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(all)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(all + " did not end within " + LIMIT_SECONDS + " s");
        }
        return new Outcome(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }
}
