package org.panamaverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The command line, and that it agrees with the pages. */
@Timeout(120)
class ExamplesTest {
    private static final Path PAGES = Path.of("..", "guide", "examples");

    private static Stream<String> names() {
        return ExampleRun.of("--list").out().lines().map(line -> line.split(" ", 2)[0]);
    }

    @Test
    void aMissingOrUnknownExampleIsToldWithThoseThatExist() {
        assertThat(ExampleRun.of().status()).isEqualTo(2);
        ExampleRun unknown = ExampleRun.of("rong");

        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err()).contains("there is no example rong; there are ring, rpc");
    }

    @Test
    void anUnknownOptionIsToldWithThoseThatExist() {
        ExampleRun run = ExampleRun.of("ring", "--recor", "5");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("there is no option --recor; the options are --message, --records, --ring");
    }

    @Test
    void anOptionWithoutValueOrWithAWrongOneIsRefused() {
        assertThat(ExampleRun.of("ring", "--ring").err()).contains("the option --ring needs a value");
        assertThat(ExampleRun.of("ring", "--ring", "many").err())
                .contains("--ring is a number from 4 to 65536, not many");
        assertThat(ExampleRun.of("ring", "--role", "king").err())
                .contains("--role is both, server or client, not king");
        assertThat(ExampleRun.of("ring", "--role", "client").err()).contains("--role client needs the --port");
    }

    @ParameterizedTest
    @CsvSource({"ring, no connection request at", "rpc, 0 of 1000 clients", "nvme, 0 of 1 hosts"})
    void aServerThatNobodyCallsEndsInTime(String name, String text) {
        ExampleRun run = ExampleRun.of(name, "--role", "server", "--timeout", "1");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains(text, "--timeout SECONDS gives more time")
                .doesNotContain("\tat ");
    }

    @Test
    void aFileThatCannotBeHadIsToldInALineWithWhatToDo(@TempDir Path directory) {
        String nowhere = directory.resolve("none").resolve("disk").toString();

        for (ExampleRun run : List.of(
                ExampleRun.of("nvme", "--size", "1", "--file", nowhere),
                ExampleRun.of("file", "--size", "1", "--to", nowhere))) {
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .isEqualTo("verbs example: " + nowhere
                            + ": no such file or directory; make its directory, or name another"
                            + System.lineSeparator());
        }
        assertThat(ExampleRun.of("nvme", "--size", "1", "--file", directory.toString())
                        .err())
                .contains("verbs example: " + directory + ": Is a directory")
                .hasLineCount(1);
        for (String from : List.of(nowhere, directory.toString())) {
            assertThat(ExampleRun.of("file", "--from", from).err())
                    .contains("there is no file " + from + " that can be read");
        }
    }

    @Test
    void aPortThatIsTakenIsToldWithWhatToDo() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ExampleRun run = ExampleRun.of(
                    "ring",
                    "--role",
                    "server",
                    "--host",
                    "127.0.0.1",
                    "--port",
                    Integer.toString(taken.getLocalPort()));

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .contains("Address already in use", "choose another port, or 0")
                    .hasLineCount(1);
        }
    }

    /** As by Ctrl-C at the other end. */
    @Test
    void anEndWhoseOtherEndIsKilledSaysWhereItFailed(@TempDir Path directory) throws Exception {
        Process server = process(directory, "ring", "--role", "server", "--host", "127.0.0.1");
        try (BufferedReader lines = server.inputReader()) {
            String port = lines.readLine().replaceAll("\\D", "");
            CompletableFuture<ExampleRun> client = CompletableFuture.supplyAsync(() -> ExampleRun.of(
                    "ring", "--role", "client", "--host", "127.0.0.1", "--port", port, "--records", "1000000000"));
            while (!lines.readLine().startsWith("consumer: record 2")) {}
            server.destroyForcibly();

            ExampleRun run = client.get(60, TimeUnit.SECONDS);
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .contains("verbs example: producer: ", " (Producer.java:", "or the other end, which")
                    .doesNotContain("\tat ");
        } finally {
            server.destroyForcibly();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyExampleHasItsHelpAndItsPage(String name) throws Exception {
        ExampleRun help = ExampleRun.of(name, "--help");

        assertThat(help.status()).isZero();
        assertThat(help.out()).contains("./verbs example " + name, "--timeout SECONDS");
        assertThat(PAGES.resolve(name + ".md")).content().contains("./verbs example " + name);
    }

    @Test
    void everyPageHasItsExample() throws Exception {
        try (Stream<Path> pages = Files.list(PAGES)) {
            assertThat(pages.map(page -> page.getFileName().toString())
                            .filter(page -> !page.equals("README.md"))
                            .map(page -> page.replace(".md", "")))
                    .containsExactlyInAnyOrderElementsOf(names().toList());
        }
    }

    /** As on two machines: each end is a process of its own, and the client is told the port. */
    @Test
    void bothEndsRunInProcessesOfTheirOwn(@TempDir Path directory) throws Exception {
        Process server = process(directory, "ring", "--role", "server", "--host", "127.0.0.1");
        try (BufferedReader lines = server.inputReader()) {
            String listening = lines.readLine();
            assertThat(listening).as("the server's first line").startsWith("listening at port ");
            ExampleRun client = ExampleRun.of(
                    "ring",
                    "--role",
                    "client",
                    "--host",
                    "127.0.0.1",
                    "--port",
                    listening.replaceAll("\\D", ""),
                    "--records",
                    "1000");

            assertThat(client.status()).as(client.err()).isZero();
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(lines.lines()).contains("consumer: took 1,000 records");
            assertThat(server.exitValue()).isZero();
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void anotherExampleAtTheOtherEndIsToldInALine(@TempDir Path directory) throws Exception {
        Process server = process(directory, "lock", "--role", "server", "--host", "127.0.0.1");
        try (BufferedReader lines = server.inputReader()) {
            String port = lines.readLine().replaceAll("\\D", "");
            ExampleRun run = ExampleRun.of("ring", "--role", "client", "--host", "127.0.0.1", "--port", port);

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .contains(" (Producer.java:", "has to run the same example")
                    .doesNotContain("\tat ");
        } finally {
            server.destroyForcibly();
        }
    }

    private static Process process(Path directory, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dverbs.provider=iwarp",
                "-cp",
                classPath(),
                "org.panamaverbs.examples.Examples"));
        command.addAll(List.of(words));
        return new ProcessBuilder(command)
                .redirectError(directory.resolve("errors").toFile())
                .start();
    }

    /** Returns what the tests run with, whether that is on the class path or on the module path. */
    private static String classPath() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(System::getProperty)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(File.pathSeparator));
    }
}
