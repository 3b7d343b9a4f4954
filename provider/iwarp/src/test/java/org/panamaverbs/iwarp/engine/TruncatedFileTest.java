package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No other process ends a JVM, or a connection without a reason, by truncating a file that is registered in it. */
@EnabledOnOs(OS.LINUX)
class TruncatedFileTest {
    private static final long DEADLINE_SECONDS = 120;

    @ParameterizedTest
    @CsvSource({
        "sockets=libc shm=off, 20, -XX:TieredStopAtLevel=1",
        "shm=require, 0, -Xint",
        "shm=require shm.direct=off, 0, -Xint"
    })
    void isARefusalOfItsMemory(String options, int rounds, String mode) throws Exception {
        expectRefusals(options, rounds, mode);
    }

    /** The compiler decides what the access to a file that is gone is, and what becomes of it. */
    @ParameterizedTest
    @Tag("proof")
    @CsvSource({
        "sockets=libc shm=off, 0, -Xint",
        "sockets=libc shm=off, 300, -XX:TieredStopAtLevel=1",
        "sockets=libc shm=off, 300, -Xbatch",
        "sockets=nio, 0, -Xint",
        "sockets=nio, 300, -Xbatch",
        "sockets=libc tls, 0, -Xint",
        "sockets=libc tls, 300, -Xbatch",
        "shm=require, 0, -Xint",
        "shm=require, 300, -Xbatch",
        "shm=require shm.direct=off, 300, -Xbatch"
    })
    void isARefusalOfItsMemoryHoweverItIsCompiled(String options, int rounds, String mode) throws Exception {
        expectRefusals(options, rounds, mode);
    }

    private static void expectRefusals(String options, int rounds, String mode) throws Exception {
        List<String> said = run(mode, options, Integer.toString(rounds));
        assertThat(said).last().isEqualTo(TruncatedFile.DONE);
        assertThat(said.subList(0, said.size() - 1))
                .hasSize(2 * TruncatedFile.Access.values().length)
                .allSatisfy(line -> assertThat(line).endsWith(": as expected"));
    }

    private static List<String> run(String mode, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(mode, "-XX:+UseSerialGC", "-XX:-CreateCoredumpOnCrash", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), TruncatedFile.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(Path.of(System.getProperty("java.io.tmpdir")).toFile())
                .start();
        try {
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            // Each failure is logged, too: it is what the access is meant to end in.
            return said.lines()
                    .filter(line -> !line.startsWith("INFO: queue pair "))
                    .filter(line -> line.contains(": ") || line.equals(TruncatedFile.DONE))
                    .toList();
        } finally {
            process.destroyForcibly();
        }
    }
}
