package org.panamaverbs.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.VerbsCommand;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.PeerProcess;
import org.panamaverbs.cli.perf.measure.Lane;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import org.panamaverbs.cli.perf.measure.Session;
import org.panamaverbs.cli.perf.measure.WarmUp;
import picocli.CommandLine;

/** Neither side waits for a peer that is gone. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DyingPeerTest {
    // Its end, or a reset by the system for what was not taken any more.
    private static final String[] GONE = {"the peer closed the connection", "the peer reset the connection"};
    private static final Deadline DEADLINE = Deadline.in(30, TimeUnit.SECONDS);

    @ParameterizedTest
    @ValueSource(strings = {"write_lat", "read_bw"})
    void clientSaysThatItsServerIsGone(String test) throws Exception {
        List<String> peer = List.of("perf", test, "--child", "-p", "0", "--bind", "127.0.0.1");
        StringWriter err = new StringWriter();
        CountDownLatch begun = new CountDownLatch(1);
        try (PeerProcess server = PeerProcess.start(PeerProcess.QUICK_START, peer)) {
            String port = "" + server.port(DEADLINE);
            CommandLine client = VerbsCommand.commandLine();
            client.setOut(new PrintWriter(new StringWriter()) {
                @Override
                public void println(String line) {
                    if (line.contains("#bytes")) {
                        begun.countDown();
                    }
                }
            });
            client.setErr(new PrintWriter(err, true));
            CompletableFuture<Integer> status = CompletableFuture.supplyAsync(
                    () -> client.execute("perf", test, "127.0.0.1", "-p", port, "-D", "3600", "--timeout", "3600"),
                    task -> Thread.ofPlatform().daemon().start(task));
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

            ProcessHandle.of(server.pid()).ifPresent(ProcessHandle::destroyForcibly);

            assertThat(status.get(30, TimeUnit.SECONDS)).isEqualTo(ExitStatus.FAILED);
        }
        assertThat(err.toString().lines().filter(line -> line.startsWith("verbs perf: ")))
                .last()
                .asString()
                .containsAnyOf(GONE);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE_LAT", "READ_LAT", "SEND_BW"})
    void serverSaysThatItsClientIsGone(PerfTest test) throws Exception {
        PerfRun server = PerfRun.server(test.id(), "--timeout", "3600");
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
                Session session = new Session(
                        verbs,
                        new Session.Sizes(test.operation(), 1, 64, 1, 2, 0, false, QueuePairType.RC),
                        new Session.Waiting(false, Duration.ZERO, Duration.ofSeconds(30)))) {
            Lane lane = session.add();
            PerfHello hello = new PerfHello(
                    test,
                    new PerfOptions.Mode(false, false, false, Duration.ZERO),
                    new PerfHello.Origin(7, 0, 1),
                    false,
                    64,
                    new PerfOptions.Span(0, 0, new WarmUp.Messages(0)),
                    new PerfHello.Target(2, lane.in.remote()));
            Connection connection = verbs.connect(
                    server.address(),
                    lane.queuePair,
                    ConnectionConfig.defaults().withPrivateData(hello.encode()),
                    DEADLINE);

            connection.close();
        }

        CommandRun run = server.end();
        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.err()).containsAnyOf(GONE);
    }
}
