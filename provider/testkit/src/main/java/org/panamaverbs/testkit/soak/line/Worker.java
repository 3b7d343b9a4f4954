package org.panamaverbs.testkit.soak.line;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.testkit.soak.ledger.Faults;
import org.panamaverbs.testkit.soak.ledger.Tally.Count;
import org.panamaverbs.testkit.soak.ledger.Verdict;
import org.panamaverbs.testkit.soak.traffic.SharedReceives;
import org.panamaverbs.testkit.soak.traffic.Traffic;

/** A thread that polls one completion queue and does all that its lines do; it owns a shared receive queue too. */
final class Worker implements AutoCloseable, Line.Host {
    private static final int BATCH = 64;
    private static final int VISITS = 4;
    private static final long IDLE_NANOS = 50_000;
    private static final int SERIAL_MASK = (1 << 30) - 1;

    private final PartyContext party;
    private final CompletionQueue queue;
    private final SharedReceives shared;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(BATCH);
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Map<Integer, Line> bySerial = new ConcurrentHashMap<>();
    private final Map<Integer, Line> byNumber = new ConcurrentHashMap<>();
    private final List<Line> lines = new ArrayList<>();
    private final Thread thread;
    private volatile boolean stopping;
    private long drains;
    private int next;

    /** Creates a worker for about {@code lineCount} lines. */
    Worker(PartyContext party, String name, int lineCount) {
        this.party = party;
        // Lines that end and their successors overlap.
        int room = 2 * lineCount + 16;
        int receives = room * Line.SHARED_RECEIVES;
        queue = party.verbs().completionQueue(room * (Traffic.DEPTH + Line.OWN_RECEIVES) + receives);
        shared = new SharedReceives(party.domain(), receives, Line.RECEIVE_BYTES, party.tally());
        thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    /** Begins. */
    void start() {
        thread.start();
    }

    @Override
    public QueuePairConfig queuePairConfig(boolean withSrq, int receives) {
        QueuePairConfig config = Traffic.sized(QueuePairConfig.of(party.domain(), queue), receives)
                .withAllRemoteAccess();
        return withSrq ? config.withSrq(shared.queue()) : config;
    }

    @Override
    public void watch(Line line) {
        bySerial.put(line.serial(), line);
        byNumber.put(line.queuePair().number(), line);
    }

    @Override
    public void forget(Line line) {
        bySerial.remove(line.serial());
        byNumber.remove(line.queuePair().number(), line);
    }

    /** Runs {@code task} on its thread; any thread. */
    void execute(Runnable task) {
        tasks.add(task);
    }

    /** Visits {@code line} from now on. */
    void add(Line line) {
        lines.add(line);
    }

    /** Returns its lines; on its thread. */
    List<Line> lines() {
        return lines;
    }

    @Override
    public long drains() {
        return drains;
    }

    /** Returns the shared receive queue; once no lines are left. */
    SharedReceives shared() {
        return shared;
    }

    private void run() {
        try {
            while (!stopping) {
                round();
            }
        } catch (RuntimeException | Error e) {
            party.faults().report(Faults.Kind.SOAK, Thread.currentThread().getName() + ": " + Texts.of(e));
        }
    }

    private void round() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        int count = queue.poll(completions);
        party.tally().add(Count.POLLS);
        for (int i = 0; i < count; i++) {
            dispatch(completions.get(i));
        }
        if (count < BATCH) {
            drains++;
        }
        if (count == 0) {
            party.tally().add(Count.EMPTY_POLLS);
        }
        boolean did = false;
        for (int i = Math.min(VISITS, lines.size()); i > 0; i--) {
            did |= visitNext();
        }
        if (!did && count == 0) {
            LockSupport.parkNanos(IDLE_NANOS);
        }
    }

    private boolean visitNext() {
        next = next + 1 < lines.size() ? next + 1 : 0;
        Line line = lines.get(next);
        boolean did = line.visit();
        if (line.isEnded()) {
            // The order of the others does not matter.
            lines.set(next, lines.getLast());
            lines.removeLast();
        }
        return did;
    }

    private void dispatch(WorkCompletion completion) {
        long wrId = completion.wrId();
        if (wrId < 0) {
            dispatchShared(completion);
            return;
        }
        Line line = bySerial.get((int) (wrId >>> Line.SERIAL_SHIFT) & SERIAL_MASK);
        if (line == null) {
            party.faults().report(Faults.Kind.UNKNOWN, "after the end of its line: " + completion);
        } else if ((wrId & Line.RECEIVE_KIND) != 0) {
            line.received(completion);
        } else {
            line.sent(completion);
        }
    }

    private void dispatchShared(WorkCompletion completion) {
        long wrId = completion.wrId();
        Verdict verdict = shared.completed(wrId);
        if (verdict != Verdict.DUE) {
            party.faults().verdict(verdict, "shared receive: " + completion);
            return;
        }
        @Nullable Line line = byNumber.get(completion.qpNumber());
        if (line == null) {
            party.faults().report(Faults.Kind.UNKNOWN, "shared receive, after the end of its line: " + completion);
        } else if (completion.ok()) {
            line.receivedShared(completion, shared.memory(), shared.offset(wrId));
        } else {
            party.tally().add(Count.FLUSHED);
        }
        shared.postAgain(wrId, party.tally());
    }

    /** Ends the thread and closes the queues; no line may be left. */
    @Override
    public void close() {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        party.faults()
                .report(
                        Faults.Kind.LOST,
                        Math.abs(shared.missing()),
                        "receives are not in the shared queue as the ledger has it: " + shared.missing());
        shared.close();
        queue.close();
    }
}
