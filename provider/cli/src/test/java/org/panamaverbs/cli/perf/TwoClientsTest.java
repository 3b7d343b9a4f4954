package org.panamaverbs.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.perf.measure.Lane;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import org.panamaverbs.cli.perf.measure.Session;
import org.panamaverbs.cli.perf.measure.WarmUp;
import org.panamaverbs.memory.RemoteBuffer;

/** Connections of two clients come to one server in turns: it serves one of them, with all of its connections. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TwoClientsTest {
    private static final int QUEUE_PAIRS = 2;
    private static final int RECEIVES = 2;
    private static final Deadline DEADLINE = Deadline.in(30, TimeUnit.SECONDS);

    @Test
    void connectionOfAnotherClientIsNotTakenForTheSecond() throws Exception {
        PerfRun server = PerfRun.server("write_bw");
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
                Session served = session(verbs);
                Session other = session(verbs)) {
            connect(verbs, server, served, 1);
            other.add();

            ConnectionException refused =
                    catchThrowableOfType(ConnectionException.class, () -> connect(verbs, server, other, 2));
            connect(verbs, server, served, 1);
            server.awaitClient();
            served.finish(DEADLINE);

            assertThat(refused).isNotNull();
            assertThat(PerfServer.refusal(refused.privateData())).contains("busy with another client");
        }
        CommandRun run = server.end();
        assertThat(run.status()).as(run.err()).isEqualTo(ExitStatus.OK);
        assertThat(run.err()).contains("refused /127.0.0.1", "busy with another client");
    }

    private static Session session(Verbs verbs) {
        Session.Sizes sizes =
                new Session.Sizes(PerfTest.Operation.WRITE, QUEUE_PAIRS, 64, 1, RECEIVES, 0, false, QueuePairType.RC);
        return new Session(verbs, sizes, new Session.Waiting(false, Duration.ZERO, Duration.ofSeconds(30)));
    }

    private static void connect(Verbs verbs, PerfRun server, Session session, int client) throws Exception {
        Lane lane = session.add();
        PerfHello hello = new PerfHello(
                PerfTest.WRITE_BW,
                new PerfOptions.Mode(false, false, false, Duration.ZERO),
                new PerfHello.Origin(client, lane.index, QUEUE_PAIRS),
                false,
                64,
                new PerfOptions.Span(1, 0, new WarmUp.Messages(0)),
                new PerfHello.Target(RECEIVES, lane.in.remote()));
        ConnectionConfig config = ConnectionConfig.defaults().withPrivateData(hello.encode());
        Connection connection = verbs.connect(server.address(), lane.queuePair, config, DEADLINE);
        ByteBuffer answer = ByteBuffer.wrap(connection.privateData());
        session.connected(lane, connection, RemoteBuffer.decode(answer), answer.getInt());
    }
}
