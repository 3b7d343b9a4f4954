package org.panamaverbs.bench.compare.contestant;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Programs of the system. */
final class Programs {
    private Programs() {}

    /** Says that {@code program} is not there and which package has it, or nothing if it is. */
    static Optional<String> missing(String program, String debianPackage) {
        boolean found = Arrays.stream(
                        Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        return found
                ? Optional.empty()
                : Optional.of("no " + program + ": apt-get install " + debianPackage + ", or bench/compare --install");
    }
}
