package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is ours and measured by a program of this module, in virtual machines that it starts. */
abstract class OwnProcess extends Contestant {
    private final String main;

    /** Creates a contestant whose program is the class {@code main}. */
    OwnProcess(Bench bench, String name, String main) {
        super(bench, name);
        this.main = main;
    }

    private Path module() {
        return bench.home().resolve("bench/target");
    }

    @Override
    public final Optional<String> missing() {
        return missing(module().resolve("libs"), "mvn -pl bench -am package");
    }

    @Override
    public final String version() {
        return "JDK " + Runtime.version();
    }

    /** Runs the program with {@code arguments}, words and lists of words, and returns what it wrote. */
    final String run(Object... arguments) throws IOException, InterruptedException {
        return bench.both(
                Map.of(),
                Bench.command(
                        java(),
                        Bench.words("-XX:+UseSerialGC -XX:-UsePerfData --enable-native-access=ALL-UNNAMED -cp"),
                        module().resolve("classes") + ":" + module().resolve("libs") + "/*",
                        main,
                        List.of(arguments)));
    }
}
