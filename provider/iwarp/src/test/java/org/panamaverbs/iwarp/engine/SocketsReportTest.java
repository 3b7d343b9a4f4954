package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;

/** Whoever gets the slower sockets is told so, and how to get the others. */
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class SocketsReportTest {
    private static final String FLAG = "--enable-native-access=ALL-UNNAMED";
    private static final int LIMIT_SECONDS = 60;

    @TempDir
    private Path directory;

    @Test
    void withoutNativeAccessAllSayThatSocketsAreThoseOfNioAndNameTheFlag() throws Exception {
        List<String> printed = probe();

        assertThat(value(printed, "selection=")).contains("java.nio", FLAG);
        assertThat(value(printed, "transport=")).contains("java.nio", FLAG);
        assertThat(value(printed, "accepted=")).contains("java.nio", FLAG);
        assertThat(value(printed, "attribute.sockets=")).isEqualTo("nio");
        assertThat(value(printed, "attribute.sockets_reason=")).contains(FLAG);
        assertThat(printed)
                .as("one line of the log, beside how its connections end")
                .filteredOn(line -> line.startsWith("INFO: ") && !line.startsWith("INFO: queue pair "))
                .singleElement()
                .asString()
                .contains("java.nio", FLAG);
    }

    @Test
    void withoutNativeAccessNothingNativeIsCalledEvenByAWait() throws Exception {
        assumeTrue(Runtime.version().feature() >= 24, "before JDK 24 nothing denies or tells of it");

        assertThat(value(probe("--illegal-native-access=deny"), "event=")).isEqualTo("false");
        assertThat(probe()).noneMatch(line -> line.contains("restricted method"));
    }

    @Test
    void withNativeAccessNothingIsLogged() throws Exception {
        List<String> printed = probe(FLAG);

        assertThat(value(printed, "selection=")).doesNotContain("java.nio", "--enable");
        assertThat(value(printed, "transport=")).doesNotContain("java.nio", "--enable");
        assertThat(value(printed, "attribute.sockets=")).isEqualTo("libc");
        assertThat(printed).noneMatch(line -> line.startsWith("INFO: "));
    }

    @Test
    void whereNoLayoutsAreKnownSocketsAreThoseOfNioAndNoFlagIsNamed() throws Exception {
        List<String> printed = probe(FLAG, "-Dos.arch=riscv64");

        assertThat(value(printed, "selection="))
                .contains("java.nio", "x86-64 and aarch64", "riscv64")
                .doesNotContain("--enable");
        assertThat(value(printed, "transport=")).contains("java.nio", "riscv64");
        assertThat(value(printed, "attribute.sockets=")).isEqualTo("nio");
        assertThat(value(printed, "event=")).isEqualTo("false");
    }

    @Test
    void socketsThatWereAskedForNeedNoFlag() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp").with("sockets", "nio"))) {
            assertThat(verbs.selection()).contains("java.nio").doesNotContain("--enable");
            assertThat(verbs.attributes().device())
                    .extracting(entry -> Map.entry(entry.name(), entry.value()))
                    .contains(Map.entry("sockets", "nio"));
        }
    }

    private static String value(List<String> printed, String key) {
        return printed.stream()
                .filter(line -> line.startsWith(key))
                .findFirst()
                .map(line -> line.substring(key.length()))
                .orElseThrow(() -> new AssertionError("no " + key + " in " + printed));
    }

    private List<String> probe(String... options) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(Arrays.asList(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), SocketsProbe.class.getName()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("in time")
                    .isTrue();
            List<String> printed = Files.readAllLines(output);
            assertThat(process.exitValue()).as(String.join("\n", printed)).isZero();
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }
}
