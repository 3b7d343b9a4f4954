package org.panamaverbs.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.cli.CommandRun;

@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerProcessTest {
    private static final List<String> PEER =
            List.of("demo", "--child", "--address=127.0.0.1", "--port=0", "--timeout=60");
    private final Deadline deadline = Deadline.in(60, TimeUnit.SECONDS);

    @Test
    void closeEndsTheProcess() {
        PeerProcess process = PeerProcess.start(PeerProcess.QUICK_START, PEER);
        int port = process.port(deadline);

        process.close();

        assertThat(port).isPositive();
        assertThat(process.exitedIn(deadline)).isTrue();
        assertThat(process.fate()).isEqualTo("was killed by signal 9");
    }

    @Test
    void peerEndsWhenItsParentIsGone() throws Exception {
        Process process = new ProcessBuilder(PeerProcess.command(PeerProcess.QUICK_START, PEER)).start();
        try (BufferedReader reader = process.inputReader()) {
            assertThat(reader.readLine()).startsWith(PeerProcess.PORT_PREFIX);

            process.outputWriter().close();

            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(ExitStatus.FAILED);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void saysHowAPeerEndedThatNeverListened() {
        try (PeerProcess process = PeerProcess.start(PeerProcess.QUICK_START, List.of("--version"))) {
            assertThatThrownBy(() -> process.port(deadline))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessage("the second process ended with exit status 0");
        }
    }

    @Test
    void aPeerMayCallNativeCodeIfThisProcessMay() throws Exception {
        assertThat(commandOfAProcess("--enable-native-access=ALL-UNNAMED"))
                .contains("--enable-native-access=ALL-UNNAMED");
        assertThat(commandOfAProcess("--enable-native-access=org.panamaverbs.none"))
                .noneMatch(word -> word.startsWith("--enable-native-access"));
    }

    /** Starts {@link #main} on the class path, which is not where Maven has all of it, with {@code flag}. */
    private static List<String> commandOfAProcess(String flag) throws Exception {
        String path = Stream.of(
                        System.getProperty("java.class.path"),
                        System.getProperty("jdk.module.path", ""),
                        Path.of("target", "test-classes").toString())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        flag,
                        "-cp",
                        path,
                        PeerProcessTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader reader = process.inputReader()) {
            List<String> printed = reader.lines().toList();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(printed).contains("--child");
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Prints the command line of a peer, a word on each line. */
    public static void main(String[] arguments) {
        PeerProcess.command(List.of(), List.of("demo", "--child")).forEach(System.out::println);
    }

    @Test
    void initiatorReportsAPeerThatCannotListen() {
        CommandRun run = CommandRun.of("demo", "--address", "203.0.113.1", "--timeout", "30");

        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.err())
                .startsWith("verbs demo: the second process failed: ")
                .contains("203.0.113.1")
                .hasLineCount(1);
    }
}
