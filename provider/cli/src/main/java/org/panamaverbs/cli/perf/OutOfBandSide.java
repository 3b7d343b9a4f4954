package org.panamaverbs.cli.perf;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.outofband.OutOfBand;
import org.panamaverbs.api.cm.outofband.OutOfBandConfig;
import org.panamaverbs.api.cm.outofband.QueuePairEndpoint;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.perf.measure.BandwidthResult;
import org.panamaverbs.cli.perf.measure.Lane;
import org.panamaverbs.cli.perf.measure.LatencyResult;
import org.panamaverbs.cli.perf.measure.OutOfBandTurns;
import org.panamaverbs.cli.perf.measure.Pace;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import org.panamaverbs.cli.perf.measure.RoundTrip;
import org.panamaverbs.cli.perf.measure.Session;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * One side of a measurement by hand: tells the peer over TCP what perftest's tool of the same test would tell it, and
 * does what that would do. Both sides must have been given the same test, size and count. Used by one thread.
 */
final class OutOfBandSide {
    private final Verbs verbs;
    private final PerfOptions options;
    private final QueuePairType type;
    private final OutOfBandConfig config;
    private final int inlineBytes;
    private final PrintWriter out;
    /** What a client reports to; null of a server. */
    private @Nullable PerfReport report;

    /**
     * Creates a side.
     *
     * @param out where a server prints
     * @throws CommandFailure naming what the device cannot
     */
    OutOfBandSide(Verbs verbs, PerfOptions options, QueuePairType type, OutOfBandConfig config, PrintWriter out) {
        this.verbs = verbs;
        this.options = options;
        this.type = type;
        this.config = config;
        this.out = out;
        DeviceLimits limits = new DeviceLimits(verbs, options);
        inlineBytes = limits.inlineBytes(type);
        limits.check(options.test(), Session.Sizes.of(options, inlineBytes, false, type));
    }

    /** Measures with the server at {@code address}, from {@code local} if that is given. */
    void ask(InetSocketAddress address, @Nullable InetSocketAddress local, PerfReport to) {
        report = to;
        try (Socket socket = new Socket()) {
            socket.bind(local);
            socket.connect(address, Math.toIntExact(options.timeout().toMillis()));
            run(socket);
        } catch (IOException e) {
            throw new CommandFailure(
                    "no server of perftest or `verbs perf --out-of-band` at " + address + ": " + e.getMessage()
                            + "; remedy: start one there, with the same -p, before the client",
                    e);
        }
        to.end();
    }

    /** Serves one client at {@code address}. */
    void serve(InetSocketAddress address, Deadline patience, Consumer<InetSocketAddress> listening) {
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(true);
            server.bind(address);
            listening.accept((InetSocketAddress) server.getLocalSocketAddress());
            if (!patience.unlimited()) {
                server.setSoTimeout(Math.toIntExact(Math.max(1, patience.remainingNanos() / 1_000_000)));
            }
            try (Socket socket = server.accept()) {
                run(socket);
            }
        } catch (SocketTimeoutException e) {
            throw new CommandFailure("no client connected before --timeout", e);
        } catch (IOException e) {
            throw new CommandFailure(
                    "cannot serve at " + address + ": " + e.getMessage()
                            + "; remedy: choose another port with -p, or another address with --bind",
                    e);
        }
    }

    /**
     * Measures with the peer of {@code socket}.
     *
     * @throws CommandFailure if the peer is none of perftest's, or the conversation ends
     */
    private void run(Socket socket) throws IOException {
        PerftestSocket peer = new PerftestSocket(socket, report != null, options.timeout());
        String version = peer.versions();
        int largest = Math.max(options.largest(), peer.cycle());
        var waiting = new Session.Waiting(false, options.mode().spin(), options.timeout());
        // The memory is what the peer has a say in.
        Session.Sizes sizes =
                Session.Sizes.of(options, inlineBytes, false, type).withLargest(largest);
        try (Session session = new Session(verbs, sizes, waiting)) {
            Lane lane = session.add();
            OutOfBand outOfBand = OutOfBand.of(verbs, lane.queuePair, config);
            QueuePairEndpoint own = outOfBand.endpoint(lane.in.remote());
            int mtu = peer.mtu(own.pathMtuBytes());
            PerftestKeys keys = PerftestKeys.of(own, lane.in.remote());
            PerftestKeys theirs = introduce(peer, keys);
            QueuePairEndpoint endpoint = endpoint(theirs, mtu);
            outOfBand.readyToReceive(endpoint);
            outOfBand.readyToSend(endpoint);
            if (type == QueuePairType.UD) {
                session.connectedOutOfBand(lane, destination(outOfBand, endpoint, mtu));
            } else {
                session.connectedOutOfBand(
                        lane, RemoteBuffer.ofUnknownRights(theirs.rkey(), theirs.address(), largest));
            }
            peer.handshake(keys);
            peer.handshake(keys);
            connected("out of band, GID " + own.gid() + ", MTU " + mtu + ", perftest " + version);
            measure(session, lane, peer, keys);
        }
    }

    private void connected(String how) {
        PerfReport to = report;
        if (to == null) {
            print("connected " + how);
        } else {
            to.begin(new PerfReport.Subject(
                    verbs.provider(),
                    verbs.device().name(),
                    Carrier.DEVICE,
                    how,
                    inlineBytes,
                    type == QueuePairType.RC ? config.initiatorDepth() : 0,
                    type,
                    false));
        }
    }

    private DatagramDestination destination(OutOfBand outOfBand, QueuePairEndpoint endpoint, int mtu) {
        if (options.largest() > mtu) {
            throw new CommandFailure("-s " + options.largest() + ": a datagram holds at most " + mtu + " bytes here");
        }
        return outOfBand.destination(endpoint);
    }

    /** Tells the peer the own keys as often as the tool of this test does, and returns the peer's. */
    private PerftestKeys introduce(PerftestSocket peer, PerftestKeys own) {
        PerfTest test = options.test();
        if (!test.isBandwidth() && test.operation() != PerfTest.Operation.SEND) {
            peer.handshake(own);
        }
        return peer.handshake(own);
    }

    private QueuePairEndpoint endpoint(PerftestKeys theirs, int mtu) {
        int reads = type == QueuePairType.RC ? theirs.outstanding() : 0;
        @Nullable Gid gid = theirs.gid();
        return new QueuePairEndpoint(
                type,
                theirs.qpNumber(),
                theirs.psn(),
                type == QueuePairType.UD ? config.qkey() : 0, // perftest's is the same
                theirs.lid(),
                gid == null ? new Gid(0, 0) : gid,
                mtu,
                reads,
                reads,
                List.of());
    }

    private void measure(Session session, Lane lane, PerftestSocket peer, PerftestKeys keys) {
        PerfTest test = options.test();
        OutOfBandTurns turns = new OutOfBandTurns(
                test.operation(), lane, session.tally(), options.span().iterations());
        if (test.operation() == PerfTest.Operation.SEND) {
            peer.handshake(keys); // the receives are posted
        }
        if (test.isBandwidth()) {
            bandwidth(turns, peer, keys);
        } else {
            latency(turns, session, lane);
        }
        if (test != PerfTest.WRITE_LAT) {
            peer.handshake(keys);
            peer.done();
        }
    }

    private void latency(OutOfBandTurns turns, Session session, Lane lane) {
        PerfTest test = options.test();
        PerfReport to = report;
        Histogram times = LatencyResult.histogram();
        if (test.isPingPong()) {
            turns.takeTurns(options.largest(), (to != null) == (test == PerfTest.SEND_LAT), times);
        } else if (to != null) {
            Pace pace = Pace.of(options.span().iterations(), Pace.SILENT);
            new RoundTrip(test.operation(), options.mode().compareAndSwap(), lane, session.tally())
                    .ask(options.largest(), pace, times);
        } else {
            return;
        }
        LatencyResult result = new LatencyResult(options.largest(), times, test.isPingPong());
        if (to != null) {
            to.latency(result);
        } else {
            print(String.format(
                    Locale.ROOT,
                    "%d bytes: %.2f us, the median of %d",
                    result.size(),
                    result.percentile(50),
                    result.iterations()));
        }
    }

    private void bandwidth(OutOfBandTurns turns, PerftestSocket peer, PerftestKeys keys) {
        PerfReport to = report;
        PerftestSocket.Report own = PerftestSocket.Report.NOTHING;
        if (to != null) {
            BandwidthResult result = turns.pour(
                    options.largest(),
                    options.queues().txDepth(),
                    options.queues().cqModeration(),
                    options.mode().compareAndSwap());
            to.bandwidth(result);
            own = new PerftestSocket.Report(
                    result.size(), result.messages(), result.peakMib(), result.averageMib(), result.average() / 1e6);
        }
        if (options.test() == PerfTest.SEND_BW) {
            if (to == null) {
                turns.takeIn();
            }
            return;
        }
        peer.handshake(keys); // the client has measured
        PerftestSocket.Report theirs = peer.reports(own);
        if (to == null) {
            print(String.format(
                    Locale.ROOT,
                    "%d bytes: %.2f MiB/s, %d messages, as the client reports",
                    theirs.size(),
                    theirs.averageMib(),
                    theirs.messages()));
        }
    }

    private void print(String text) {
        out.println(text);
        out.flush();
    }
}
