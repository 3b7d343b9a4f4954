package org.panamaverbs.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.perf.measure.PerfTest;

/** Both sides over the loopback interface, the server in a thread or a process. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("alone")
class PerfLoopbackTest {
    private static final int FEW = 100;
    private static final int MORE = 1000;

    private static CommandRun measure(String test, String... more) throws Exception {
        PerfRun server = PerfRun.server(test);
        CommandRun client = server.client(test, more);
        assertThat(complaints(client)).isEmpty();
        CommandRun served = server.end();
        assertThat(served.status()).as(served.err()).isEqualTo(ExitStatus.OK);
        assertThat(client.status()).isEqualTo(ExitStatus.OK);
        return client;
    }

    /** What it said beside its progress, which a slow machine shows. */
    private static String complaints(CommandRun run) {
        return run.err().replaceAll("verbs perf: .* messages after .* s\\R", "");
    }

    private static String lastButOne(CommandRun run) {
        return run.lines().get(run.lines().size() - 2).strip();
    }

    /**
     * Twice, so that what a message allocates is what the longer run allocates more; again and again, because the
     * compiler removes some boxes late. The smallest object has 16 bytes.
     */
    @ParameterizedTest
    @EnumSource(PerfTest.class)
    void everyTestMeasuresAndAllocatesNothing(PerfTest test) throws Exception {
        Deadline patience = Deadline.in(20, TimeUnit.SECONDS);
        double octets;
        do {
            long few = allocatedBy(test, FEW);
            octets = (allocatedBy(test, FEW + MORE) - few) / (double) MORE;
        } while (octets >= 8 && !patience.passed());

        assertThat(octets).isLessThan(8);
    }

    private static long allocatedBy(PerfTest test, int messages) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        CommandRun run = measure(test.id(), "-n", "" + messages, "--warm-up", "50");
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(lastButOne(run)).matches("\\d+ +" + messages + " .*");
        assertThat(run.out()).contains(test.title());
        return allocated;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "atomic_lat | -A CMP_AND_SWAP",
                "atomic_bw | -A CMP_AND_SWAP -o 4",
                "send_bw | -s 64 -l 64 -t 256",
                "send_bw | -s 64 -q 3 -Q 1 -I 64",
                "write_bw | -s 4096 -q 2 -l 16 -R -x 0 --no-crc",
                "write_bw | -s 4096 -q 2 -l 16 --option shm=off --no-crc",
                "write_lat | --option progress=spin -s 1",
                "write_lat | --option progress=spin --option shm=off -s 1",
                "send_lat | -e -I 0",
                "send_lat | -e --spin 20",
                "write_imm_lat | -e -T 8",
                "read_bw | -e -s 70000 -o 2",
                "send_bw | -b -s 64 -l 4 -r 16",
                "write_imm_bw | -b -s 64",
                "write_bw | -b -q 2",
                "read_bw | -b -s 5000",
                "atomic_bw | -b -A CMP_AND_SWAP",
            })
    void takesOptions(String test, String options) throws Exception {
        String[] more = (options + " -n 300 --warm-up 20").split(" ");

        CommandRun run = measure(test, more);

        assertThat(lastButOne(run)).matches("\\d+ +(3|6|9)00 .*");
    }

    @Test
    void measuresEverySizeWithOneLineEach() throws Exception {
        CommandRun run = measure("write_lat", "-a", "-s", "64", "-n", "10", "--warm-up", "0");

        assertThat(run.lines().stream()
                        .filter(line -> line.matches(" [0-9].*"))
                        .map(line -> line.replaceFirst(" (\\d+) .*", "$1")))
                .containsExactly("2", "4", "8", "16", "32", "64");
    }

    @Test
    void measuresBothDirectionsForATime() throws Exception {
        CommandRun run = measure("send_bw", "-b", "-D", "1", "--warm-up", "1s");

        assertThat(run.out()).contains("Send Bidirectional BW Test");
        assertThat(lastButOne(run)).startsWith("65536 ");
    }

    /** In any window of a tenth of a second no more can have moved than in the whole run. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"write_bw | -n 200 -t 100 -s 65536", "send_bw | -n 400 -s 65536", "read_bw | -n 100 -s 65536"})
    void peakIsThatOfAWindowInWhichSoMuchMoved(String test, String options) throws Exception {
        CommandRun run = measure(test, (options + " --warm-up 0").split(" ", -1));

        String[] columns = lastButOne(run).split(" +", -1);
        double moved = Double.parseDouble(columns[0]) * Double.parseDouble(columns[1]) / (1 << 20);
        double peak = Double.parseDouble(columns[2]);
        double average = Double.parseDouble(columns[3]);
        assertThat(peak).isGreaterThanOrEqualTo(average);
        assertThat(peak).isLessThanOrEqualTo(Math.max(average, moved / 0.1));
    }

    @Test
    void measuresForATime() throws Exception {
        CommandRun run = measure("send_lat", "-D", "1", "--warm-up", "1s");

        assertThat(run.out()).contains("tps average");
    }

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"},
            disabledReason = "memory is shared there only")
    void goesBySharedMemoryAndSaysHowToHaveTcp() throws Exception {
        String[] few = {"-n", "10", "--warm-up", "0"};
        String[] fewByTcp = {"-n", "10", "--warm-up", "0", "--option", "shm=off"};

        assertThat(measure("write_lat", few).lines())
                .anyMatch(line -> line.contains("Transport type") && line.contains(", shared memory (rings of "))
                .contains(" Same host       : both processes; --option shm=off selects TCP");
        assertThat(measure("write_lat", fewByTcp).lines())
                .anyMatch(line -> line.contains("Transport type") && line.contains("CRC32C"))
                .noneMatch(line -> line.contains("shared memory") || line.contains("Same host"));
    }

    @Test
    void loopbackStartsItsServer() {
        CommandRun run = CommandRun.of(
                "perf",
                "write_lat",
                "--loopback",
                "-n",
                "100",
                "--warm-up",
                "10",
                "--out_json",
                "--out_json_file",
                "-");

        assertThat(complaints(run)).isEmpty();
        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).startsWith("{\n").contains("\"n_iterations\": 100", "\"t_typical\": ");
    }

    @Test
    void jsonIsWrittenInPlaceOfTheTable() throws Exception {
        CommandRun run = measure("send_bw", "--json", "-s", "64", "-n", "100", "--warm-up", "10");

        assertThat(JsonParser.parseString(run.out())
                        .getAsJsonObject()
                        .getAsJsonObject("results")
                        .get("n_iterations")
                        .getAsInt())
                .isEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource({"-w, 1, true", "-w, 1e12, false", "--limit_msgrate, 0.000001, true", "-y, 1e6, false"})
    void aResultBelowTheLimitIsAFailure(String option, String limit, boolean passes) throws Exception {
        PerfRun server = PerfRun.server("write_bw");
        CommandRun client = server.client("write_bw", option, limit, "-n", "100", "--warm-up", "10");

        assertThat(server.end().status()).isEqualTo(ExitStatus.OK);
        assertThat(lastButOne(client)).startsWith("65536 ");
        assertThat(client.status()).isEqualTo(passes ? ExitStatus.OK : ExitStatus.FAILED);
        assertThat(complaints(client)).matches(passes ? "" : "verbs perf: the best .* is below .*\\R");
    }

    @Test
    void connectsFromTheAddressThatIsGiven() throws Exception {
        PerfRun server = PerfRun.server("send_lat");
        CommandRun foreign = server.client("send_lat", "--source_ip", "192.0.2.1", "--timeout", "5");
        CommandRun own = server.client("send_lat", "--bind_source_ip", "127.0.0.1", "-n", "10", "--warm-up", "0");

        assertThat(foreign.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(foreign.err()).contains("192.0.2.1");
        assertThat(own.status()).as(own.err()).isEqualTo(ExitStatus.OK);
        assertThat(server.end().status()).isEqualTo(ExitStatus.OK);
    }

    @Test
    void sidesWithDifferentTestsBothSaySo() throws Exception {
        PerfRun server = PerfRun.server("write_lat");

        CommandRun client = server.client("send_lat");

        String reason = "the server runs write_lat, the client send_lat; remedy: start both with the same options";
        assertThat(client.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(client.err()).contains("the server refused: " + reason);
        assertThat(servedAfterAll(server, "write_lat").err()).contains("refused /127.0.0.1", reason);
    }

    /** Returns what the server said to its end, which the next client brings: one that asks wrongly does not end it. */
    private static CommandRun servedAfterAll(PerfRun server, String test, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(more));
        if (!arguments.contains("-n")) {
            arguments.addAll(List.of("-n", "10"));
        }
        arguments.addAll(List.of("--warm-up", "0"));
        CommandRun client = server.client(test, arguments.toArray(String[]::new));
        assertThat(client.status()).as(client.err()).isEqualTo(ExitStatus.OK);
        assertThat(server.end().status()).isEqualTo(ExitStatus.OK);
        return server.end();
    }

    @Test
    void serverThatIsBusySaysSoAndServesItsClient() throws Exception {
        PerfRun server = PerfRun.server("write_bw");
        CompletableFuture<CommandRun> first = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                first.complete(server.client("write_bw", "-D", "4", "--warm-up", "0", "-s", "64"));
            } catch (Exception e) {
                first.completeExceptionally(e);
            }
        });
        server.awaitClient();
        CommandRun second = server.client("write_bw", "--timeout", "2");

        assertThat(second.err()).contains("the server refused: the server is busy with another client");
        assertThat(first.get().status()).as(first.get().err()).isEqualTo(ExitStatus.OK);
        assertThat(server.end().status()).as(server.end().err()).isEqualTo(ExitStatus.OK);
    }

    @Test
    void timeoutThatIsGivenBoundsTheWaitForAClient() throws Exception {
        CommandRun waited = PerfRun.server("write_lat", "--timeout", "1").end();

        assertThat(waited.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(waited.err()).contains("no client, or not all of its connections", "(1 s)", "--timeout");
    }

    @ParameterizedTest
    @CsvSource({"64, 64", "1k, 1024", "2K, 2048", "1M, 1048576", "8m, 8388608"})
    void sizesMayHaveASuffix(String given, int octets) throws Exception {
        CommandRun run = measure("write_bw", "-s", given, "-n", "5", "--warm-up", "0");

        assertThat(lastButOne(run)).startsWith(octets + " ");
    }

    /** What a client asks for beyond the usual, its server has room for only if it is told so, too. */
    @Test
    void longMessagesAreToldToTheServer() throws Exception {
        String[] few = {"-s", "20000001", "-n", "2", "--warm-up", "1"};
        PerfRun server = PerfRun.server("write_bw");
        CommandRun refused = server.client("write_bw", few);

        assertThat(refused.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(refused.err()).contains("the server has room for messages of 8388608 bytes");
        servedAfterAll(server, "write_bw");

        PerfRun told = PerfRun.server("write_bw", "-s", "20000001");
        CommandRun measured = told.client("write_bw", few);
        assertThat(measured.status()).as(measured.err()).isEqualTo(ExitStatus.OK);
        assertThat(lastButOne(measured)).startsWith("20000001 ");
        assertThat(told.end().status()).isEqualTo(ExitStatus.OK);
    }

    @Test
    void fileForJsonIsWrittenWithoutAnotherOption(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("results.json");
        measure("write_lat", "-n", "10", "--warm-up", "0", "--out_json_file", file.toString());

        assertThat(file).content().contains("\"n_iterations\": 10");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-s | 64 | -s of the server is 64, and of the client 65536",
                "-n | 10 | -n of the server is 10, and of the client 5000",
                "-q | 2 | -q of the server is 2, and of the client 1",
                "-b | | -b of the server is given, and of the client not given",
            })
    void sidesWithDifferentOptionsBothSaySo(String name, @Nullable String value, String reason) throws Exception {
        String[] options = value == null ? new String[] {name} : new String[] {name, value};
        PerfRun server =
                PerfRun.server(value == null ? new String[] {"send_bw", name} : new String[] {"send_bw", name, value});

        CommandRun client = server.client("send_bw");

        assertThat(client.err()).contains("the server refused: " + reason);
        assertThat(servedAfterAll(server, "send_bw", options).err()).contains(reason);
    }

    @Test
    void strangersAreTurnedAwayByName() throws Exception {
        PerfRun server = PerfRun.server("write_lat");

        CommandRun stranger = CommandRun.of(
                "rping",
                "-c",
                "-a",
                "127.0.0.1",
                "-C",
                "1",
                "-p",
                "" + server.address().getPort());

        assertThat(stranger.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(servedAfterAll(server, "write_lat").err())
                .contains("the peer is not a `verbs perf` client of this version");
    }

    @Test
    void unreachableServerIsAFailureWithTheReason() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }

        CommandRun run = CommandRun.of("perf", "send_lat", "127.0.0.1", "-p", "" + port);

        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.err().toLowerCase(Locale.ROOT)).contains("no listener").doesNotContain("internal error");
    }

    @Test
    void silentServerRunsIntoTheDeadline() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CommandRun run =
                    CommandRun.of("perf", "send_lat", "127.0.0.1", "-p", "" + silent.getLocalPort(), "--timeout", "1");

            assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
            assertThat(run.err()).startsWith("verbs perf: ").doesNotContain("internal error");
        }
    }
}
