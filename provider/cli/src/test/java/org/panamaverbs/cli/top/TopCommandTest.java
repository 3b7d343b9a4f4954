package org.panamaverbs.cli.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.channel.Channel;
import org.panamaverbs.channel.ChannelConfig;
import org.panamaverbs.channel.ChannelGroup;
import org.panamaverbs.channel.Publisher;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.PeerProcess;

/** Looks at other processes, as a user does. */
@Timeout(180)
class TopCommandTest {
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endThem() throws InterruptedException {
        for (Process each : started) {
            each.destroyForcibly().waitFor();
        }
    }

    private Process start(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        started.add(process);
        return process;
    }

    /**
     * A process that sends to a third one for longer than any test. Both sleep in between: who looks needs a processor.
     */
    private Process sender() throws IOException {
        List<String> arguments = List.of("perf", "send_lat", "--loopback", "-e", "-s", "64", "-n", "2000000000");
        return start(PeerProcess.command(PeerProcess.QUICK_START, arguments));
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** A process of Java that has nothing to do with verbs, with more options. */
    private Process webServer(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(List.of(options));
        command.addAll(List.of("-m", "jdk.httpserver", "-b", "127.0.0.1", "-p", "0"));
        return start(command);
    }

    private static CommandRun top(Process process, String... options) {
        List<String> arguments = new ArrayList<>(List.of("top"));
        arguments.addAll(List.of(options));
        arguments.add(Long.toString(process.pid()));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    /** Looks until its queue pair is connected and sends: before, the process may not be as far as a device. */
    private static CommandRun untilConnected(Process process, String... options) {
        CommandRun run = top(process, options);
        while (process.isAlive() && !isConnected(run)) {
            run = top(process, options);
        }
        return run;
    }

    /**
     * Whether the last picture has a connected queue pair, and in JSON one that has sent since the picture before: more
     * than the set-up alone does.
     */
    private static boolean isConnected(CommandRun run) {
        String last = run.out().isEmpty() ? "" : run.lines().getLast();
        if (!last.startsWith("{")) {
            return last.contains(" RTS ");
        }
        JsonArray pairs = JsonParser.parseString(last).getAsJsonObject().getAsJsonArray("queuePairs");
        if (pairs.isEmpty()) {
            return false;
        }
        JsonObject pair = pairs.get(0).getAsJsonObject();
        JsonElement writes = pair.getAsJsonObject("perSecond").get("writes");
        return pair.get("state").getAsString().equals("RTS")
                && pair.get("sendsCompleted").getAsLong() > 0
                && writes != null
                && writes.getAsDouble() > 0;
    }

    @Test
    void showsTheConnectionsOfAnotherProcessIn80Columns() throws Exception {
        Process process = sender();

        CommandRun run = untilConnected(process, "--once");

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
        assertThat(run.lines().getFirst()).isEqualTo("process " + process.pid());
        assertThat(run.out()).contains("iwarp0 (iwarp)").contains("QP PEER").contains("127.0.0.1:");
        assertThat(run.lines().stream().filter(line -> line.contains(" RTS ")).count())
                .isEqualTo(1);
    }

    @Test
    void jsonHasWhatItCounts() throws Exception {
        Process process = sender();

        CommandRun run = untilConnected(process, "--json", "-n", "2");

        assertThat(run.status()).as(run.err()).isEqualTo(ExitStatus.OK);
        assertThat(run.lines()).hasSize(2);
        JsonObject last = JsonParser.parseString(run.lines().getLast()).getAsJsonObject();
        assertThat(last.get("pid").getAsLong()).isEqualTo(process.pid());
        JsonArray pairs = last.getAsJsonArray("queuePairs");
        JsonObject pair = pairs.get(0).getAsJsonObject();
        assertThat(pairs).hasSize(1);
        assertThat(pair.get("state").getAsString()).isEqualTo("RTS");
        assertThat(pair.get("peer").getAsString()).startsWith("127.0.0.1:");
        assertThat(pair.get("sendsCompleted").getAsLong()).isPositive();
        assertThat(pair.get("sendsPosted").getAsLong())
                .isGreaterThanOrEqualTo(pair.get("sendsCompleted").getAsLong());
        assertThat(pair.getAsJsonObject("perSecond").get("writes").getAsDouble())
                .isPositive();
        JsonObject device = last.getAsJsonArray("devices").get(0).getAsJsonObject();
        assertThat(device.get("connections").getAsInt()).isEqualTo(1);
        assertThat(device.getAsJsonObject("perSecond").get("bytesSent").getAsDouble())
                .isPositive();
    }

    /** A process with both ends of a message channel, which publishes now and then. */
    static final class ChannelLoop {
        private ChannelLoop() {}

        public static void main(String[] arguments) {
            Deadline deadline = Deadline.in(60, TimeUnit.SECONDS);
            try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
                    ChannelGroup out = ChannelGroup.open(verbs, ChannelConfig.defaults());
                    ChannelGroup in = ChannelGroup.open(verbs, ChannelConfig.defaults());
                    Listener listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
                var connecting = CompletableFuture.supplyAsync(() -> out.connect(listener.localAddress(), deadline));
                in.accept(listener.accept(deadline), deadline);
                Channel channel = connecting.join();
                MemorySegment message = MemorySegment.ofArray(new byte[100]);
                while (channel.publisher().offer(message, 0, 100) != Publisher.NOT_CONNECTED) {
                    in.poll((from, memory, offset, length) -> {}, 16);
                    LockSupport.parkNanos(1_000_000);
                }
            }
        }
    }

    @Test
    void showsMessageChannels() throws Exception {
        String path = Stream.of("java.class.path", "jdk.module.path")
                .map(System::getProperty)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(File.pathSeparator));
        Process process =
                start(List.of(java(), "--enable-native-access=ALL-UNNAMED", "-cp", path, ChannelLoop.class.getName()));

        CommandRun table = top(process, "--once");
        while (process.isAlive() && !table.out().contains("FULL/s")) {
            table = top(process, "--once");
        }
        assertThat(table.err()).isEmpty();
        assertThat(table.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
        assertThat(table.lines())
                .filteredOn(line -> line.contains(" SENDS OPEN "))
                .hasSize(2);

        CommandRun json = top(process, "--json", "-n", "1");
        JsonArray channels =
                JsonParser.parseString(json.lines().getLast()).getAsJsonObject().getAsJsonArray("channels");
        assertThat(channels).hasSize(2);
        assertThat(channels).anySatisfy(each -> {
            JsonObject channel = each.getAsJsonObject();
            assertThat(channel.get("way").getAsString()).isEqualTo("SENDS");
            assertThat(channel.get("published").getAsLong()).isPositive();
            assertThat(channel.getAsJsonObject("perSecond").get("published").getAsDouble())
                    .isPositive();
            assertThat(channel.getAsJsonObject("perSecond").get("backPressured").getAsDouble())
                    .isZero();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--add-modules=ALL-SYSTEM             | has not opened a device of Panama Verbs yet",
                "-XX:+DisableAttachMechanism          | runs with -XX:+DisableAttachMechanism; remedy: start it without",
                "-Djdk.serialFilter=!*                | with a serialization filter (jdk.serialFilter); remedy:"
                        + " record it with `jcmd",
                "-Djdk.serialFilter=java.base/*;!*    | with a serialization filter (jdk.serialFilter); remedy:"
                        + " record it with `jcmd"
            })
    void saysWhyAProcessCannotBeLookedAt(String option, String reason) throws Exception {
        Process process = webServer(option);

        CommandRun run = top(process, "--once");
        while (run.err().contains("is not a Java process") || run.err().contains("has just started")) {
            run = top(process, "--once"); // a busy machine starts it slowly
        }

        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.err())
                .startsWith("verbs top: process " + process.pid())
                .contains(reason)
                .hasLineCount(1);
    }

    /** The first process of a machine shows its memory to nobody, so that other signs tell what it is. */
    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "/proc is read")
    void saysThatTheFirstProcessOfTheMachineIsNoJavaProcess() throws IOException {
        assumeFalse(Files.readString(Path.of("/proc/1/comm")).contains("java"), "this machine runs Java alone");

        CommandRun run = CommandRun.of("top", "--once", "1");

        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.err())
                .startsWith("verbs top: process 1 ")
                .containsPattern("is not a Java process|belongs to user")
                .hasLineCount(1);
    }

    @Test
    void leavesProcessesThatAreNotOfJavaAlone() throws Exception {
        Process process = start(List.of("sleep", "600"));

        CommandRun run = top(process);

        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.err()).contains("is not a Java process");
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void namesAProcessThatIsNotThere() throws Exception {
        Process process = start(List.of("true"));
        process.waitFor();

        assertThat(top(process).err()).contains("no process " + process.pid());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "999, 999",
        "1000, 1.0k",
        "9949, 9.9k",
        "9950, 10k",
        "999499, 999k",
        "999500, 1.0M",
        "1234567890123, 1.2T"
    })
    void numbersAreShort(long number, String text) {
        assertThat(Table.octets(number)).isEqualTo(text);
    }
}
