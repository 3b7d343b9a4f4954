package org.panamaverbs.cli.perf;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.perf.measure.Asking;
import org.panamaverbs.cli.perf.measure.BandwidthResult;
import org.panamaverbs.cli.perf.measure.DataCheck;
import org.panamaverbs.cli.perf.measure.Lane;
import org.panamaverbs.cli.perf.measure.LatencyResult;
import org.panamaverbs.cli.perf.measure.Pace;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import org.panamaverbs.cli.perf.measure.PingPong;
import org.panamaverbs.cli.perf.measure.Preparation;
import org.panamaverbs.cli.perf.measure.RoundTrip;
import org.panamaverbs.cli.perf.measure.Session;
import org.panamaverbs.cli.perf.measure.Throughput;
import org.panamaverbs.memory.RemoteBuffer;

/** The side that measures. */
final class PerfClient {
    private final PerfOptions options;
    private final PerfReport report;
    private final @Nullable InetSocketAddress from;
    private final int id = new SecureRandom().nextInt();

    /** Creates a client that connects from {@code from}, from any address if that is null. */
    PerfClient(PerfOptions options, PerfReport report, @Nullable InetSocketAddress from) {
        this.options = options;
        this.report = report;
        this.from = from;
    }

    /** Measures with the server at {@code address}. */
    void run(Verbs verbs, InetSocketAddress address) {
        PerfTest test = options.test();
        DeviceLimits limits = new DeviceLimits(verbs, options);
        int inline = limits.inlineBytes(QueuePairType.RC);
        var sizes = Session.Sizes.of(options, inline, true, QueuePairType.RC);
        limits.check(test, sizes);
        var waiting =
                new Session.Waiting(options.mode().events(), options.mode().spin(), options.timeout());
        try (Session session = new Session(verbs, sizes, waiting)) {
            for (int i = 0; i < options.queues().pairs(); i++) {
                connect(verbs, limits, address, session);
            }
            report.begin(subject(verbs, session.lanes().getFirst(), inline));
            if (test.isBandwidth()) {
                bandwidth(session);
            } else {
                latency(session, limits.placesAlone());
            }
            session.finish(Deadline.in(options.timeout()));
        }
    }

    private static PerfReport.Subject subject(Verbs verbs, Lane lane, int inline) {
        Connection connection = lane.connection();
        return new PerfReport.Subject(
                verbs.provider(),
                verbs.device().name(),
                connection.carrier(),
                connection.transport(),
                inline,
                connection.initiatorDepth(),
                QueuePairType.RC,
                true);
    }

    private void connect(Verbs verbs, DeviceLimits limits, InetSocketAddress address, Session session) {
        Lane lane = session.add();
        PerfHello hello = new PerfHello(
                options.test(),
                options.mode(),
                new PerfHello.Origin(id, lane.index, options.queues().pairs()),
                options.sizes().size() > 1,
                options.largest(),
                options.span(),
                new PerfHello.Target(lane.rxDepth, lane.in.remote()));
        Connection connection = connect(verbs, address, lane, limits.connection(hello.encode()));
        byte[] answer = connection.privateData();
        if (answer.length < PerfServer.ANSWER_BYTES) {
            connection.close();
            throw new CommandFailure("the peer at " + address + " is not a `verbs perf` server: its answer has "
                    + answer.length + " bytes");
        }
        ByteBuffer said = ByteBuffer.wrap(answer);
        session.connected(lane, connection, RemoteBuffer.decode(said), said.getInt());
    }

    private Connection connect(Verbs verbs, InetSocketAddress address, Lane lane, ConnectionConfig config) {
        InetSocketAddress local = from;
        ConnectionConfig here = local == null ? config : config.withLocalAddress(local);
        try {
            return verbs.connect(address, lane.queuePair, here, Deadline.in(options.timeout()));
        } catch (ConnectionException e) {
            String said = PerfServer.refusal(e.privateData());
            throw said.isEmpty() ? e : new CommandFailure("the server refused: " + said, e);
        }
    }

    private void latency(Session session, boolean placedAlone) {
        PerfTest test = options.test();
        Lane lane = session.lanes().getFirst();
        DataCheck check = new DataCheck(test, session.tally(), session.back());
        Preparation preparation = preparation(session);
        Asking asking = test.isPingPong()
                ? new PingPong(
                        test.operation(),
                        lane,
                        session.tally(),
                        options.queues().txDepth(),
                        placedAlone)
                : new RoundTrip(test.operation(), options.mode().compareAndSwap(), lane, session.tally());
        for (int size : options.sizes()) {
            Histogram times = LatencyResult.histogram();
            Histogram ignored = LatencyResult.histogram();
            check.begin(lane, size);
            // The server of a ping-pong counts warm-up and measurement as one.
            warmUp(preparation, size, pace -> asking.ask(size, pace, ignored));
            asking.ask(size, pace(size), times);
            check.end(lane, size);
            report.latency(new LatencyResult(size, times, test.isPingPong()));
        }
    }

    private void bandwidth(Session session) {
        DataCheck check = new DataCheck(options.test(), session.tally(), session.back());
        Preparation preparation = preparation(session);
        Throughput throughput =
                new Throughput(options, options.mode().bidirectional(), session.lanes(), session.tally());
        long count = (long) options.span().iterations() * options.queues().pairs();
        for (int size : options.sizes()) {
            warmUp(preparation, size, pace -> throughput.run(size, pace));
            session.lanes().forEach(lane -> check.begin(lane, size));
            BandwidthResult result = throughput.run(size, pace(size, count));
            session.lanes().forEach(lane -> check.end(lane, size));
            report.bandwidth(result);
        }
    }

    private Preparation preparation(Session session) {
        return new Preparation(options.span().warmUp(), session.lanes().getFirst(), session.tally());
    }

    private void warmUp(Preparation preparation, int size, Consumer<Pace> exchange) {
        report.warmedUp(preparation.run(size, exchange));
    }

    private Pace pace(int size) {
        return pace(size, options.span().iterations());
    }

    private Pace pace(int size, long count) {
        Pace.Progress progress = (done, of, seconds) -> report.progress(size, done, of, seconds);
        return count == 0 ? Pace.of(options.span().duration(), progress) : Pace.of(count, progress);
    }
}
