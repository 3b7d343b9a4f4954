package org.panamaverbs.testkit.soak;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.network.Relay;
import org.panamaverbs.testkit.network.Relay.Cut;
import org.panamaverbs.testkit.network.Relay.Pace;
import org.panamaverbs.testkit.network.Relay.Way;
import org.panamaverbs.testkit.random.SeededRandom;
import org.panamaverbs.testkit.soak.ledger.Faults;
import org.panamaverbs.testkit.soak.ledger.Tally.Count;
import org.panamaverbs.testkit.soak.line.Party;
import org.panamaverbs.testkit.soak.line.Texts;
import org.panamaverbs.testkit.soak.traffic.Pattern;

/**
 * Connections that end while their peer still gets what was sent, one after the other, beside those of the soak: each
 * goes through a slow link, which is cut in one of three. What completed with success arrives, or {@code disconnect}
 * tells that it may not have.
 */
final class SlowEnds implements AutoCloseable {
    /** What it counts. */
    static final Set<Count> COUNTS = Set.of(Count.SLOW_DELIVERED, Count.SLOW_TOLD);

    private static final int SENDS = 32;
    private static final int BYTES = 8 << 10;
    private static final int ONE_CUT_IN = 3;
    private static final int SETUP_OCTETS = 4 << 10;
    // All of it takes 5 s then, more than the linger time.
    private static final int SLOWEST = 48 << 10;
    private static final int RATES = 6;
    private static final int MOST_DELAY_MILLIS = 5;
    private static final long SECONDS = 60;
    private static final long CUT_MILLIS = 500;
    private static final long IDLE_NANOS = 200_000;

    private final Party party;
    private final SeededRandom random;
    private final ExecutorService threads = Executors.newFixedThreadPool(
            2, Thread.ofPlatform().daemon().name("soak-slow-end-", 0).factory());
    private final Future<?> rounds;
    private volatile boolean stopping;

    /** Begins. */
    SlowEnds(Party party) {
        this.party = party;
        random = new SeededRandom(~party.config().seed());
        rounds = threads.submit(this::run);
    }

    /** Tells whether connections of {@code provider} go through a relay of TCP. */
    static boolean isPossible(String provider) {
        return provider.equals("iwarp");
    }

    private void run() {
        for (int round = 1; !stopping; round++) {
            try {
                end(way(round % ONE_CUT_IN == 0));
            } catch (IOException | RuntimeException | Error e) {
                party.faults().report(Faults.Kind.REFUSED, "slow end: " + Texts.of(e));
            }
        }
    }

    private Way way(boolean cut) {
        int rate = SLOWEST << random.below(RATES);
        long delayNanos = TimeUnit.MILLISECONDS.toNanos(random.below(MOST_DELAY_MILLIS));
        Pace pace = Pace.rate(rate, delayNanos);
        if (!cut) {
            return Way.at(pace);
        }
        int at = random.between(SETUP_OCTETS, SENDS * BYTES);
        return new Way(pace, random.oneIn(2) ? Cut.RESET : Cut.STALL, at);
    }

    private void end(Way forth) throws IOException {
        InetSocketAddress any = new InetSocketAddress(party.config().address(), 0);
        try (Listener listener =
                party.verbs().listen(any, ListenerConfig.defaults().withBacklog(1))) {
            Future<Integer> reader;
            Written written;
            try (Relay link = new Relay(listener.localAddress(), forth, Way.quick())) {
                reader = threads.submit(() -> read(listener));
                written = write(link.address(), forth.cut());
            }
            judge(forth, written, reader.get(SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            party.faults().report(Faults.Kind.LATE, "slow end: the reader: " + Texts.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * What the side that ends saw.
     *
     * @param succeeded how many Sends completed with success
     * @param told what its disconnect threw, empty if it returned
     */
    private record Written(int succeeded, String told) {}

    private void judge(Way forth, Written written, int received) {
        boolean told = !written.told().isEmpty();
        if (!told && received < written.succeeded()) {
            party.faults()
                    .report(
                            Faults.Kind.LOST,
                            "slow end, %s: %d Sends succeeded, %d arrived, and disconnect said nothing"
                                    .formatted(forth, written.succeeded(), received));
        }
        if (forth.cut() == Cut.NONE && (told || received < SENDS)) {
            party.faults()
                    .report(
                            Faults.Kind.LATE,
                            "slow end, %s: %d of %d Sends arrived; %s"
                                    .formatted(forth, received, SENDS, written.told()));
        }
        party.tally().add(told ? Count.SLOW_TOLD : Count.SLOW_DELIVERED);
    }

    private Written write(InetSocketAddress address, Cut cut) {
        Verbs verbs = party.verbs();
        try (CompletionQueue queue = verbs.completionQueue(SENDS);
                RegisteredBuffer buffer = party.domain().allocate(BYTES, Access.LOCAL_WRITE);
                Connection connection = verbs.connect(address, config(queue), soon())) {
            Pattern.fill(buffer.segment(), 0, BYTES, SENDS);
            for (int i = 0; i < SENDS; i++) {
                PostStatus.check(connection.queuePair().send(i, buffer, 0, BYTES, SendFlag.SIGNALED));
            }
            int succeeded = succeeded(queue, buffer);
            try {
                connection.disconnect(cut == Cut.STALL ? Deadline.in(CUT_MILLIS, TimeUnit.MILLISECONDS) : soon());
                return new Written(succeeded, "");
            } catch (ConnectionException | DeadlineExceededException e) {
                return new Written(succeeded, Texts.of(e));
            }
        }
    }

    private int read(Listener listener) {
        Verbs verbs = party.verbs();
        try (CompletionQueue queue = verbs.completionQueue(SENDS);
                RegisteredBuffer buffer = party.domain().allocate((long) SENDS * BYTES, Access.LOCAL_WRITE);
                QueuePair queuePair = party.domain().queuePair(config(queue));
                ConnectionRequest request = listener.accept(soon())) {
            for (int i = 0; i < SENDS; i++) {
                PostStatus.check(queuePair.recv(i, buffer, (long) i * BYTES, BYTES));
            }
            try (Connection connection = request.accept(queuePair, ConnectionConfig.defaults(), soon())) {
                int received = succeeded(queue, buffer);
                connection.awaitDisconnect(soon());
                return received;
            }
        }
    }

    private QueuePairConfig config(CompletionQueue queue) {
        return QueuePairConfig.of(party.domain(), queue).withDepth(SENDS, SENDS);
    }

    /** Returns how many of the requests succeed, which are completed one after the other; checks what was received. */
    private int succeeded(CompletionQueue queue, RegisteredBuffer buffer) {
        WorkCompletions completions = WorkCompletions.ofCapacity(SENDS);
        int good = 0;
        Deadline deadline = soon();
        for (int done = 0; done < SENDS; ) {
            int count = queue.poll(completions);
            for (int i = 0; i < count; i++, done++) {
                WorkCompletion each = completions.get(i);
                if (each.wrId() != done) {
                    party.faults().report(Faults.Kind.REORDERED, "slow end: " + each);
                }
                good += each.ok() ? 1 : 0;
                check(each, buffer);
            }
            if (deadline.passed()) {
                throw new IllegalStateException("%d of %d completions in time".formatted(done, SENDS));
            }
            if (count == 0) {
                LockSupport.parkNanos(IDLE_NANOS);
            }
        }
        return good;
    }

    private void check(WorkCompletion completion, RegisteredBuffer buffer) {
        if (completion.ok() && completion.opcode() == WcOpcode.RECV) {
            long offset = completion.wrId() * BYTES;
            if (completion.byteCount() != BYTES || Pattern.mismatch(buffer.segment(), offset, BYTES, SENDS) >= 0) {
                party.faults().report(Faults.Kind.DATA, "slow end: " + completion);
            }
        }
    }

    private static Deadline soon() {
        return Deadline.in(SECONDS, TimeUnit.SECONDS);
    }

    /** Lets the last one end and waits for it. */
    @Override
    public void close() {
        stopping = true;
        try {
            rounds.get(2 * SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            party.faults().report(Faults.Kind.SOAK, "slow ends do not end: " + Texts.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.close();
    }
}
