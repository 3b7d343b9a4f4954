package org.panamaverbs.cli.perf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
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

    private static final int CREDITS_PER_QUEUE = 4;
    private static final String REFUSAL = "perf: ";
    // InfiniBand's, the shortest
    private static final int LONGEST_REFUSAL = 148;

    private final Verbs verbs;
    private final Listener listener;
    private final PerfOptions options;
    private final DeviceLimits limits;

    PerfServer(Verbs verbs, Listener listener, PerfOptions options) {
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
                    hello.queuePairs(),
                    hello.size(),
                    options.txDepth(),
                    options.rxDepth(),
                    limits.inlineBytes(),
                    false);
            limits.check(hello.test(), sizes);
            try (Session session = new Session(verbs, sizes, hello.events(), options.timeout())) {
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
        session.connected(lane, connection, hello.buffer(), 0);
    }

    private void answer(PerfHello hello, Session session) {
        if (hello.test().isPingPong()) {
            Lane lane = session.lanes().getFirst();
            PingPong pingPong = new PingPong(hello.test().operation(), lane, session.tally(), options.txDepth());
            for (int size : hello.sizes()) {
                long warmUp = PerfOptions.warmUp(hello.warmUp(), size);
                pingPong.answer(size, hello.iterations() == 0 ? Long.MAX_VALUE : warmUp + hello.iterations());
            }
        }
        takeUntilDone(session);
    }

    /** Gives back receives as they are used, and is there for what needs no answer, until the client is done. */
    private static void takeUntilDone(Session session) {
        long[] given = session.lanes().stream().mapToLong(lane -> lane.arrived).toArray();
        long[] told = given.clone();
        boolean done = false;
        while (!done) {
            done = true;
            for (Lane lane : session.lanes()) {
                done &= lane.peerDone;
                while (given[lane.index] < lane.arrived) {
                    given[lane.index]++;
                    lane.receive();
                }
                boolean due = lane.arrived - told[lane.index] >= Math.max(1, lane.rxDepth / CREDITS_PER_QUEUE);
                if (due && !lane.peerDone && lane.completed == lane.posted) {
                    told[lane.index] = lane.arrived;
                    lane.tellCredit();
                }
            }
            if (!done) {
                advance(session);
            }
        }
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
