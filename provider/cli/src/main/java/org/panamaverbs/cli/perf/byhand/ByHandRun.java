package org.panamaverbs.cli.perf.byhand;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.Gid;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.byhand.ByHand;
import org.panamaverbs.api.byhand.ByHandConfig;
import org.panamaverbs.api.byhand.QueuePairEndpoint;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.perf.measure.BandwidthResult;
import org.panamaverbs.cli.perf.measure.ByHandTurns;
import org.panamaverbs.cli.perf.measure.Lane;
import org.panamaverbs.cli.perf.measure.LatencyResult;
import org.panamaverbs.cli.perf.measure.Pace;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import org.panamaverbs.cli.perf.measure.RoundTrip;
import org.panamaverbs.cli.perf.measure.Session;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * One side of a measurement by hand: tells the peer what perftest's tool of the same test would tell it, and does what
 * that would do. Both sides must have been given the same test, size and count. Used by one thread.
 */
public final class ByHandRun {
    private final Verbs verbs;
    private final PerfOptions options;
    private final Session.Sizes sizes;
    private final ByHandConfig config;
    private final boolean client;
    private final Listener listener;

    /** Hears what becomes of a measurement. */
    public interface Listener {
        /** The queue pair is connected, {@code how} for people. */
        void connected(String how);

        /** A latency was measured. */
        void latency(LatencyResult result, Histogram times);

        /** A bandwidth was measured here. */
        void bandwidth(BandwidthResult result);

        /** The peer has measured so many MiB a second with {@code messages} of {@code size} octets. */
        void peerMeasured(long size, long messages, double averageMib);
    }

    /** Creates a side with a session of {@code sizes}, but for the memory, which the peer has a say in. */
    public ByHandRun(
            Verbs verbs,
            PerfOptions options,
            Session.Sizes sizes,
            ByHandConfig config,
            boolean client,
            Listener listener) {
        this.verbs = verbs;
        this.options = options;
        this.sizes = sizes;
        this.config = config;
        this.client = client;
        this.listener = listener;
    }

    /**
     * Measures with the peer of {@code socket}, which is closed by the caller.
     *
     * @throws CommandFailure if the peer is none of perftest's, or the conversation ends
     */
    public void run(Socket socket) throws IOException {
        PerftestSocket peer = new PerftestSocket(socket, client, options.timeout());
        String version = peer.versions();
        int largest = Math.max(options.largest(), peer.cycle());
        var waiting = new Session.Waiting(false, options.mode().spin(), options.timeout());
        try (Session session = new Session(verbs, with(largest), waiting)) {
            Lane lane = session.add();
            ByHand byHand = ByHand.of(verbs, lane.queuePair, config);
            QueuePairEndpoint own = byHand.endpoint(lane.in.remote());
            int mtu = peer.mtu(own.pathMtuBytes());
            PerftestKeys keys = keys(own, lane.in.remote());
            PerftestKeys theirs = introduce(peer, keys);
            QueuePairEndpoint endpoint = endpoint(theirs, mtu);
            byHand.readyToReceive(endpoint);
            byHand.readyToSend(endpoint);
            if (sizes.type() == QueuePairType.UD) {
                session.connectedByHand(lane, destination(byHand, endpoint, mtu));
            } else {
                session.connectedByHand(lane, RemoteBuffer.ofUnknownRights(theirs.rkey(), theirs.address(), largest));
            }
            peer.handshake(keys);
            peer.handshake(keys);
            listener.connected("by hand, GID " + own.gid() + ", MTU " + mtu + ", perftest " + version);
            measure(session, lane, peer, keys);
        }
    }

    private DatagramDestination destination(ByHand byHand, QueuePairEndpoint endpoint, int mtu) {
        if (options.largest() > mtu) {
            throw new CommandFailure("-s " + options.largest() + ": a datagram holds at most " + mtu + " octets here");
        }
        return byHand.destination(endpoint);
    }

    private Session.Sizes with(int largest) {
        return new Session.Sizes(
                sizes.operation(),
                1,
                largest,
                sizes.txDepth(),
                sizes.rxDepth(),
                sizes.inlineBytes(),
                false,
                sizes.type());
    }

    /** Tells the peer the own keys as often as the tool of this test does, and returns the peer's. */
    private PerftestKeys introduce(PerftestSocket peer, PerftestKeys own) {
        PerfTest test = options.test();
        if (!test.isBandwidth() && test.operation() != PerfTest.Operation.SEND) {
            peer.handshake(own);
        }
        return peer.handshake(own);
    }

    private static PerftestKeys keys(QueuePairEndpoint own, RemoteBuffer buffer) {
        Gid gid = own.gid();
        return new PerftestKeys(
                own.lid(),
                own.responderResources(),
                own.qpNumber(),
                own.psn(),
                buffer.stagValue(),
                buffer.taggedOffset(),
                gid.isZero() ? null : gid);
    }

    private QueuePairEndpoint endpoint(PerftestKeys theirs, int mtu) {
        boolean reads = sizes.type() == QueuePairType.RC;
        @Nullable Gid gid = theirs.gid();
        return new QueuePairEndpoint(
                sizes.type(),
                theirs.qpNumber(),
                theirs.psn(),
                sizes.type() == QueuePairType.UD ? config.qkey() : 0, // perftest's is the same
                theirs.lid(),
                gid == null ? new Gid(0, 0) : gid,
                mtu,
                reads ? theirs.outstanding() : 0,
                reads ? theirs.outstanding() : 0,
                List.of());
    }

    private void measure(Session session, Lane lane, PerftestSocket peer, PerftestKeys keys) {
        PerfTest test = options.test();
        PerfTest.Operation operation = test.operation();
        ByHandTurns turns =
                new ByHandTurns(operation, lane, session.tally(), options.span().iterations());
        if (operation == PerfTest.Operation.SEND) {
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

    private void latency(ByHandTurns turns, Session session, Lane lane) {
        PerfTest test = options.test();
        Histogram times = LatencyResult.histogram();
        if (test.isPingPong()) {
            turns.takeTurns(options.largest(), client == (test == PerfTest.SEND_LAT), times);
        } else if (client) {
            Pace pace = Pace.of(options.span().iterations(), (done, of, seconds) -> {});
            new RoundTrip(test.operation(), options.mode().compareAndSwap(), lane, session.tally())
                    .ask(options.largest(), pace, times);
        } else {
            return;
        }
        listener.latency(LatencyResult.of(options.largest(), times, test.isPingPong()), times);
    }

    private void bandwidth(ByHandTurns turns, PerftestSocket peer, PerftestKeys keys) {
        PerftestReport report = PerftestReport.NOTHING;
        if (client) {
            BandwidthResult result = turns.pour(
                    options.largest(),
                    options.queues().txDepth(),
                    options.queues().cqModeration(),
                    options.mode().compareAndSwap());
            listener.bandwidth(result);
            report = new PerftestReport(
                    result.size(), result.messages(), result.peakMib(), result.averageMib(), result.average() / 1e6);
        }
        if (options.test() == PerfTest.SEND_BW) {
            if (!client) {
                turns.takeIn();
            }
            return;
        }
        peer.handshake(keys); // the client has measured
        PerftestReport theirs = peer.reports(report);
        if (!client) {
            listener.peerMeasured(theirs.size(), theirs.messages(), theirs.averageMib());
        }
    }
}
