package org.panamaverbs.cli.perf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.perf.measure.Lane;
import org.panamaverbs.cli.perf.measure.Pace;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PingPong;
import org.panamaverbs.cli.perf.measure.Session;
import org.panamaverbs.cli.perf.measure.Throughput;
import org.panamaverbs.cli.perf.measure.WarmUp;
import org.panamaverbs.memory.RemoteBuffer;

/** The side that answers: what it does, the client says, but for its own depths. */
final class PerfServer {
    /** Bytes of the answer: where to write, and how many receives there are. */
    static final int ANSWER_BYTES = RemoteBuffer.BYTES + Integer.BYTES;

    private static final String REFUSAL = "perf: ";
    private static final String BUSY = "the server is busy with another client";
    // InfiniBand's, the shortest
    private static final int LONGEST_REFUSAL = 148;

    private final Verbs verbs;
    private final Listener listener;
    private final PerfOptions options;
    private final DeviceLimits limits;
    private final Function<PerfHello, Optional<String>> disagreement;
    private Consumer<String> refused = why -> {};
    private Runnable serving = () -> {};

    /** Creates a server that refuses a client of which {@code disagreement} says how it differs. */
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

    /** Has {@code observer} run once the client has all its connections. */
    PerfServer onServing(Runnable observer) {
        serving = observer;
        return this;
    }

    /** Has {@code listener} hear of each peer that is turned away, with the reason. */
    PerfServer onRefusal(Consumer<String> listener) {
        refused = listener;
        return this;
    }

    /**
     * Serves one client to its end. Peers that ask for what this server does not do are turned away before, and any
     * other while it is served.
     *
     * @param patience how long to wait for the client
     * @throws CommandFailure if none came in time, or the device cannot be a server with these options
     */
    @SuppressWarnings("try") // Strangers are answered for as long as it is open.
    void serve(Deadline patience) {
        limits.checkServer();
        Caller first = caller(null, 0, patience);
        try (ConnectionRequest request = first.request()) {
            PerfHello hello = first.hello();
            var waiting = new Session.Waiting(
                    hello.mode().events() || options.mode().events(),
                    options.mode().spin(),
                    options.timeout());
            try (Session session = new Session(verbs, sizes(hello), waiting)) {
                accept(request, hello, session);
                while (session.lanes().size() < hello.origin().queuePairs()) {
                    Caller next = caller(hello, session.lanes().size(), Deadline.in(options.timeout()));
                    try (ConnectionRequest more = next.request()) {
                        accept(more, next.hello(), session);
                    }
                }
                try (var admission = new AdmissionControl(listener, stranger -> refuse(stranger, BUSY))) {
                    serving.run();
                    if (hello.span().warmUp() instanceof WarmUp.Compiled) {
                        session.watchCompilers();
                    }
                    answer(hello, session);
                    awaitEnd(session, options.timeout());
                }
            }
        }
    }

    /** A peer that asks for what this server does. */
    private record Caller(ConnectionRequest request, PerfHello hello) {}

    /**
     * Waits for a peer that asks rightly for the connection with this index, and turns away all others meanwhile: of
     * the client that said {@code first}, of any if that is null.
     */
    private Caller caller(@Nullable PerfHello first, int index, Deadline deadline) {
        while (true) {
            ConnectionRequest request;
            try {
                request = listener.accept(deadline);
            } catch (DeadlineExceededException e) {
                throw new CommandFailure(
                        "no client, or not all of its connections, arrived before --timeout ("
                                + options.timeout().toSeconds() + " s)",
                        e);
            }
            boolean taken = false;
            try {
                PerfHello hello = PerfHello.decode(request.privateData());
                Optional<String> objection = objection(hello, first, index);
                if (objection.isEmpty()) {
                    taken = true;
                    return new Caller(request, hello);
                }
                refuse(request, objection.get());
            } catch (CommandFailure e) {
                refuse(request, String.valueOf(e.getMessage()));
            } finally {
                if (!taken) {
                    request.close();
                }
            }
        }
    }

    /** Returns why {@code hello} cannot be served, empty if it can. */
    private Optional<String> objection(PerfHello hello, @Nullable PerfHello first, int index) {
        if (first != null && hello.origin().client() != first.origin().client()) {
            return Optional.of(BUSY);
        }
        if (hello.test() != options.test()) {
            return Optional.of("the server runs " + options.test().id() + ", the client "
                    + hello.test().id() + "; remedy: start both with the same options");
        }
        Optional<String> difference = disagreement.apply(hello);
        if (difference.isPresent()) {
            return Optional.of(difference.get() + "; remedy: start both with the same options");
        }
        if (hello.origin().index() != index) {
            return Optional.of("connection " + hello.origin().index() + " of the client arrived, expected"
                    + " connection " + index + "; remedy: start the client again");
        }
        limits.check(hello.test(), sizes(hello));
        return Optional.empty();
    }

    private Session.Sizes sizes(PerfHello hello) {
        boolean sends = hello.mode().bidirectional();
        int inline = limits.inlineBytes(QueuePairType.RC);
        return Session.Sizes.of(hello.over(options), inline, sends, QueuePairType.RC);
    }

    private void refuse(ConnectionRequest request, String why) {
        byte[] said = (REFUSAL + why).getBytes(StandardCharsets.US_ASCII);
        int limit = Math.min(verbs.capabilities().maxRejectPrivateData(), LONGEST_REFUSAL);
        refused.accept("refused " + request.remoteAddress() + ": " + why);
        try {
            request.reject(Arrays.copyOf(said, Math.min(said.length, limit)));
        } catch (VerbsException e) {
            refused.accept("it had disconnected: " + e.getMessage());
        }
    }

    private void accept(ConnectionRequest request, PerfHello hello, Session session) {
        Lane lane = lane(request, session);
        ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
        lane.in.remote().encode(answer);
        answer.putInt(lane.rxDepth);
        Connection connection =
                request.accept(lane.queuePair, limits.connection(answer.array()), Deadline.in(options.timeout()));
        session.connected(
                lane, connection, hello.target().buffer(), hello.target().receives());
    }

    private Lane lane(ConnectionRequest request, Session session) {
        try {
            return session.add();
        } catch (CommandFailure e) {
            refuse(request, "it has no memory for the request"); // all of it would not fit into a refusal
            throw e;
        }
    }

    private void answer(PerfHello hello, Session session) {
        if (hello.test().isPingPong()) {
            Lane lane = session.lanes().getFirst();
            PingPong pingPong = new PingPong(
                    hello.test().operation(),
                    lane,
                    session.tally(),
                    options.queues().txDepth(),
                    limits.placesAlone());
            for (int size : hello.sizes()) {
                long count = hello.span().warmUp().count(size) + hello.span().iterations();
                pingPong.answer(size, hello.span().iterations() == 0 ? Long.MAX_VALUE : count);
            }
            lane.settle();
        } else if (hello.mode().bidirectional()) {
            sendAsWell(hello, session);
        }
        takeUntilDone(session);
    }

    /** Does what the client does, of which it hears by reports. */
    private void sendAsWell(PerfHello hello, Session session) {
        PerfOptions same = hello.over(options);
        Throughput throughput = new Throughput(same, true, session.lanes(), session.tally());
        long count = (long) hello.span().iterations() * hello.origin().queuePairs();
        for (int size : hello.sizes()) {
            throughput.run(size, hello.span().warmUp().pace(size));
            Pace pace = count == 0
                    ? Pace.of(Duration.ofSeconds(hello.span().seconds()), Pace.SILENT)
                    : Pace.of(count, Pace.SILENT);
            throughput.run(size, pace);
        }
    }

    /** Is there for what the client sends and needs no answer, until the client is done. */
    private static void takeUntilDone(Session session) {
        while (!isDone(session)) {
            advance(session);
            session.tally().giveBack();
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
