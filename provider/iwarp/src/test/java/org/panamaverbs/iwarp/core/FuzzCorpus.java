package org.panamaverbs.iwarp.core;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** What fuzzing has found, {@code src/test/resources/fuzz}, and the seeds, to be played again without the fuzzer. */
public final class FuzzCorpus {
    private FuzzCorpus() {}

    /** Plays all there is for {@code target} with {@code run}, and answers what was reached. */
    public static Set<String> replay(String target, Function<byte[], List<String>> run) throws IOException {
        Set<String> reached = new TreeSet<>();
        for (byte[] seed : Objects.requireNonNull(FuzzSeeds.all().get(target))) {
            reached.addAll(run.apply(seed));
        }
        for (Path input : of(target)) {
            try {
                reached.addAll(run.apply(Files.readAllBytes(input)));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(target + "/" + input.getFileName() + ": " + e, e);
            }
        }
        return reached;
    }

    /** The files of the corpus of {@code target}. */
    static List<Path> of(String target) throws IOException {
        try (Stream<Path> files = Files.list(directory().resolve(target))) {
            return files.sorted().toList();
        }
    }

    private static Path directory() {
        try {
            return Path.of(Objects.requireNonNull(FuzzCorpus.class.getResource("/fuzz"), "no corpus")
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
