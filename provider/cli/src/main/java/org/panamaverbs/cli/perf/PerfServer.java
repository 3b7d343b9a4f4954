package org.panamaverbs.cli.perf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.cli.CommandFailure;
import org.panamaverbs.memory.RemoteBuffer;

/** The side that answers: what it does, the client says, but for its own depths. */
final class PerfServer {
    /** Octets of the answer: where to write, and how many receives there are. */
    static final int ANSWER_BYTES = RemoteBuffer.BYTES + Integer.BYTES;

    private static final String REFUSAL = "perf: ";
    // InfiniBand's, the shortest
    private static final int LONGEST_REFUSAL = 148;

    private final Verbs verbs;
    private final Listener listener;
    private final PerfOptions options;
    private final DeviceLimits limits;
    private final Function<PerfHello, Optional<String>> disagreement;

    /** Makes one that refuses a client of which {@code disagreement} says how it differs. */
    PerfServer(
            Verbs verbs, Listener listener, PerfOptions options, Function<PerfHello, Optional<String>> disagreement) {
        this.disagreement = disagreement;
        this.verbs = verbs;
        this.listener = listener;
        this.options = options;
        limits = new DeviceLimits(verbs, options);
    }

    /** Returns why a server refused, from the private data of its rejection; empty if it is none of these servers. */
    static String refusal(byte[] privateData) {
        String said = new String(privateData, StandardCharsets.US_ASCII);
        // InfiniBand fills up with zeros.
        return said.startsWith(REFUSAL) ? said.substring(REFUSAL.length()).replace("\0", "") : "";
    }

    /** Serves one client to its end; waits for it without limit. */
    void serve() {
        try (ConnectionRequest first = listener.accept(Deadline.never())) {
            PerfHello hello = hello(first);
            var sizes = new Session.Sizes(
                    hello.test().operation(),
                    hello.queuePairs(),
                    hello.size(),
                    options.txDepth(),
                    options.rxDepth(),
                    limits.inlineBytes(),
                    hello.bidirectional() && options.postList() > 1);
            limits.check(hello.test(), sizes);
            try (Session session = new Session(verbs, sizes, hello.events() || options.events(), options.timeout())) {
                accept(first, hello, session);
                while (session.lanes().size() < hello.queuePairs()) {
                    try (ConnectionRequest next = listener.accept(Deadline.in(options.timeout()))) {
                        PerfHello more = hello(next);
                        if (more.index() != session.lanes().size()) {
                            throw refuse(next, "the server is busy with another client");
                        }
                        accept(next, more, session);
                    }
                }
                answer(hello, session);
                awaitEnd(session, options.timeout());
            }
        }
    }

    private PerfHello hello(ConnectionRequest request) {
        PerfHello hello;
        try {
            hello = PerfHello.decode(request.privateData());
        } catch (CommandFailure e) {
            throw refuse(request, String.valueOf(e.getMessage()));
        }
        if (hello.test() != options.test()) {
            throw refuse(
                    request,
                    "the server runs " + options.test().id() + ", the client "
                            + hello.test().id() + ": start both alike");
        }
        disagreement.apply(hello).ifPresent(difference -> {
            throw refuse(request, difference + ": start both alike");
        });
        return hello;
    }

    private CommandFailure refuse(ConnectionRequest request, String why) {
        byte[] said = (REFUSAL + why).getBytes(StandardCharsets.US_ASCII);
        int limit = Math.min(verbs.capabilities().maxPrivateData(), LONGEST_REFUSAL);
        request.reject(Arrays.copyOf(said, Math.min(said.length, limit)));
        return new CommandFailure("refused " + request.remoteAddress() + ": " + why);
    }

    private void accept(ConnectionRequest request, PerfHello hello, Session session) {
        Lane lane = session.add();
        ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
        lane.in.remote().encode(answer);
        answer.putInt(lane.rxDepth);
        Connection connection =
                request.accept(lane.queuePair, limits.connection(answer.array()), Deadline.in(options.timeout()));
        session.connected(lane, connection, hello.buffer(), hello.receives());
    }

    private void answer(PerfHello hello, Session session) {
        if (hello.test().isPingPong()) {
            Lane lane = session.lanes().getFirst();
            PingPong pingPong = new PingPong(
                    hello.test().operation(), lane, session.tally(), options.txDepth(), limits.placesAlone());
            for (int size : hello.sizes()) {
                long count = hello.warmUp().count(size) + hello.iterations();
                pingPong.answer(size, hello.iterations() == 0 ? Long.MAX_VALUE : count);
            }
            lane.settle();
        } else if (hello.bidirectional()) {
            sendAsWell(hello, session);
        }
        takeUntilDone(session);
    }

    /** Does what the client does, of which it hears by reports. */
    private void sendAsWell(PerfHello hello, Session session) {
        PerfOptions same = options.with(hello);
        Throughput throughput = new Throughput(same, true, session.lanes(), session.tally());
        long count = (long) hello.iterations() * hello.queuePairs();
        for (int size : hello.sizes()) {
            throughput.run(size, hello.warmUp().pace(size), hello.warmUp().count(size));
            Pace pace = count == 0
                    ? Pace.of(Duration.ofSeconds(hello.seconds()), (done, of, seconds) -> {})
                    : Pace.of(count, (done, of, seconds) -> {});
            throughput.run(size, pace, Math.max(1, count));
        }
    }

    /** Is there for what the client sends and needs no answer, until the client is done. */
    private static void takeUntilDone(Session session) {
        Intake intake = new Intake(session.lanes());
        while (!isDone(session)) {
            advance(session);
            intake.serve();
        }
    }

    private static boolean isDone(Session session) {
        for (Lane lane : session.lanes()) {
            if (!lane.peerDone) {
                return false;
            }
        }
        return true;
    }

    // What the client reads and writes is not seen here: silence is no failure as long as it is connected.
    private static void advance(Session session) {
        try {
            session.tally().advance();
        } catch (DeadlineExceededException e) {
            for (Lane lane : session.lanes()) {
                Connection connection = lane.connection;
                if (!lane.peerDone && (connection == null || !connection.isConnected())) {
                    throw e;
                }
            }
        }
    }

    private static void awaitEnd(Session session, Duration timeout) {
        for (Lane lane : session.lanes()) {
            Optional.ofNullable(lane.connection)
                    .ifPresent(connection -> connection.awaitDisconnect(Deadline.in(timeout)));
        }
    }
}
