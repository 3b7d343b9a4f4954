package org.panamaverbs.sockets;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A program of the tests in a process of its own, over provider iwarp, by the property that names a provider. */
final class ChildProcess {
    private ChildProcess() {}

    /** Starts the main method of {@code program}; what it prints, errors included, is its output. */
    static Process start(Class<?> program, List<String> options, String... arguments)
            throws IOException, URISyntaxException {
        List<String> all = new ArrayList<>(options);
        all.add("-Djava.nio.channels.spi.SelectorProvider=" + RdmaSelectorProvider.class.getName());
        return startOverJdk(program, all, arguments);
    }

    /** As {@link #start}, without the property that names a provider. Native access: an option, else all. */
    static Process startOverJdk(Class<?> program, List<String> options, String... arguments)
            throws IOException, URISyntaxException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (options.stream().noneMatch(each -> each.startsWith("--enable-native-access="))) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of(
                "-Dverbs.provider=iwarp",
                "-D" + RdmaSelectorProvider.PATIENCE_PROPERTY + "=100000",
                "-cp",
                classPath()));
        command.addAll(options);
        command.add(program.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** The test's own, which stands on the module path under Maven. */
    private static String classPath() throws URISyntaxException {
        URL self = Objects.requireNonNull(ChildProcess.class.getResource("ChildProcess.class"));
        int depth = ChildProcess.class.getName().split("\\.").length;
        Path root = Path.of(self.toURI()).resolve("../".repeat(depth)).normalize();
        return String.join(
                File.pathSeparator,
                root.toString(),
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path"));
    }
}
