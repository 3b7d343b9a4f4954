package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.cli.example.HelloPeers;

/** The example in two processes, as a user starts them: nothing is asked for, and they share memory. */
@Timeout(120)
class HelloPeersTest {
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endThem() throws InterruptedException {
        for (Process each : started) {
            each.destroyForcibly().waitFor();
        }
    }

    private Process start(String... arguments) throws IOException, URISyntaxException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dverbs.provider=iwarp",
                "-cp",
                classPath(),
                HelloPeers.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        started.add(process);
        return process;
    }

    /** The test's own, which stands on the module path under Maven. */
    private static String classPath() throws URISyntaxException {
        URL example = Objects.requireNonNull(HelloPeers.class.getResource("HelloPeers.class"));
        int depth = HelloPeers.class.getName().split("\\.").length;
        Path root = Path.of(example.toURI()).resolve("../".repeat(depth)).normalize();
        return String.join(
                File.pathSeparator,
                root.toString(),
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path"));
    }

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"},
            disabledReason = "memory is shared there only")
    void twoProcessesShareMemoryUnasked() throws Exception {
        Process listening = start();
        try (BufferedReader lines = listening.inputReader()) {
            String port = lines.readLine().substring("port ".length());
            Process connecting = start(port);
            List<String> here = connecting.inputReader().lines().toList();
            List<String> there = lines.lines().toList();

            assertThat(here.get(0)).startsWith("connected by MPA rev 2").contains("shared memory (rings of 262144");
            assertThat(here.get(1)).startsWith("wr_id 2 FETCH_ADD success");
            assertThat(there.get(0)).startsWith("accepted by MPA rev 2").contains("shared memory (rings of 262144");
            assertThat(there).endsWith("Hello from process " + connecting.pid(), "The counter is 42");
            assertThat(connecting.waitFor() + listening.waitFor()).isZero();
        }
    }
}
