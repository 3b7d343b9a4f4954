package org.panamaverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.stub.StubLibrary;

/** The example that serves peers through several devices. */
@Timeout(120)
class DevicesTest {
    @TempDir
    private Path directory;

    @Test
    void oneDeviceIsServedByAnyProvider() {
        ExampleRun run = ExampleRun.of("devices");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("server: \"Hello through iwarp0\" came through iwarp0");
    }

    @Test
    void aDeviceIsNamedOnce() {
        ExampleRun run = ExampleRun.of("devices", "--devices", "iwarp0,iwarp0");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("names a device twice");
    }

    /** In a process of its own, whose libibverbs the zoo is. */
    @Test
    void eachOfTwoAdaptersIsServed() throws Exception {
        String library;
        try {
            library = StubLibrary.compileZoo(directory).toString();
        } catch (StubLibrary.UnavailableException e) {
            abort("no zoo: " + e.getMessage());
            return;
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dverbs.libibverbs=" + library,
                "-Dverbs.librdmacm=" + library,
                "-Dverbs.provider=ibverbs",
                "-cp",
                System.getProperty("java.class.path"),
                Examples.class.getName(),
                "devices",
                "--devices",
                "roce0,mlx5_0"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said)
                .contains("\"Hello through roce0\" came through roce0", "\"Hello through mlx5_0\" came through mlx5_0");
    }
}
