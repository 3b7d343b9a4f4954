package org.panamaverbs.testkit.soak.line;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.testkit.random.SeededRandom;
import org.panamaverbs.testkit.soak.ledger.Faults;
import org.panamaverbs.testkit.soak.ledger.Tally;
import org.panamaverbs.testkit.soak.ledger.Tally.Count;
import org.panamaverbs.testkit.soak.traffic.Hello;

/**
 * One process's share in the soak: an open device, a listener, workers, and threads that set lines up and take them
 * down. The process under test has one, and each peer. Any thread.
 */
public final class Party extends PartyContext implements AutoCloseable {
    private static final int THREADS = 4;
    private static final long SETUP_SECONDS = 20;
    private static final long RETRY_MILLIS = 100;
    private static final long POLL_MILLIS = 200;
    private static final int BACKLOG = 512;
    private static final int DEPTH = 16;
    private static final int[] LANE_BYTES = {256, 1024, 2048};
    private static final int LARGE_LANE_BYTES = 96 << 10;
    private static final int ONE_LARGE_IN = 64;

    private final Function<Hello, @Nullable Life> lives;
    private final List<Worker> workers = new ArrayList<>();
    private final Listener listener;
    // Three: if accepting waited for threads that connect, two parties could wait for each other.
    private final ScheduledThreadPoolExecutor connecting = pool("connect");
    private final ScheduledThreadPoolExecutor accepting = pool("accept");
    private final ScheduledThreadPoolExecutor ending = pool("end");
    private final Thread acceptor;
    private final AtomicInteger serials = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final List<Outgoing> idle = new ArrayList<>();
    private volatile boolean paused = true;
    private volatile boolean closing;

    /**
     * Opens the device; begins to work when it is resumed.
     *
     * @param lives finds the process that a line leads to
     */
    public Party(PartyConfig config, Tally tally, Faults faults, Function<Hello, @Nullable Life> lives) {
        super(config, tally, faults);
        this.lives = lives;
        for (int i = 0; i < config.workers(); i++) {
            workers.add(new Worker(this, "soak-worker-" + i, config.lines() / config.workers()));
        }
        listener = verbs().listen(
                        new InetSocketAddress(config.address(), 0),
                        ListenerConfig.defaults().withBacklog(BACKLOG));
        acceptor = Thread.ofPlatform().daemon().name("soak-acceptor").unstarted(this::acceptAll);
        workers.forEach(Worker::start);
        acceptor.start();
    }

    private static ScheduledThreadPoolExecutor pool(String name) {
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(
                THREADS,
                Thread.ofPlatform().daemon().name("soak-" + name + "-", 0).factory());
        pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        pool.prestartAllCoreThreads();
        return pool;
    }

    /** Returns why none of its lines goes by shared memory; empty if those may that are to. */
    public String noSharedMemory() {
        return mix().obstacle(verbs());
    }

    /** Returns where it listens. */
    public InetSocketAddress address() {
        return listener.localAddress();
    }

    @Override
    boolean isPaused() {
        return paused;
    }

    /** Adds a line to be connected over and over once it is resumed. */
    public void connect(Outgoing outgoing) {
        synchronized (idle) {
            idle.add(outgoing);
        }
    }

    /** Begins to make lines. */
    public void resume() {
        paused = false;
        List<Outgoing> waiting;
        synchronized (idle) {
            waiting = List.copyOf(idle);
            idle.clear();
        }
        waiting.forEach(outgoing -> schedule(outgoing, 0));
    }

    /** Ends all lines gracefully and makes no more; returns whether all were closed before the deadline. */
    public boolean drain(Deadline deadline) {
        paused = true;
        for (Worker worker : workers) {
            worker.execute(() -> List.copyOf(worker.lines()).forEach(line -> line.end(Line.End.DISCONNECT)));
        }
        while (open.get() > 0 && !deadline.passed()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        return open.get() == 0;
    }

    /** Returns how many receives the shared receive queues hold; once it is drained. */
    public long sharedWaiting() {
        return workers.stream().mapToLong(worker -> worker.shared().waiting()).sum();
    }

    /** Ends one line, any that is up. */
    public void endOne(SeededRandom random, Line.End how) {
        Worker worker = workers.get(random.below(workers.size()));
        int any = random.below(Integer.MAX_VALUE);
        worker.execute(() -> {
            List<Line> lines = worker.lines();
            if (!lines.isEmpty()) {
                lines.get(any % lines.size()).end(how);
            }
        });
    }

    @Override
    void inBackground(String what, Runnable task) {
        ending.execute(guarded(what, task));
    }

    private Runnable guarded(String what, Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                faults().report(Faults.Kind.REFUSED, what + ": " + Texts.of(e));
            }
        };
    }

    @Override
    void closed(@Nullable Outgoing outgoing) {
        open.decrementAndGet();
        if (outgoing != null) {
            schedule(outgoing, 0);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what the task throws is reported by its guard
    private void schedule(Outgoing outgoing, long delayMillis) {
        if (paused) {
            connect(outgoing);
            return;
        }
        try {
            connecting.schedule(guarded("connect", () -> attempt(outgoing)), delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            connect(outgoing);
        }
    }

    private void attempt(Outgoing outgoing) {
        Outgoing.Target target = paused ? null : outgoing.target();
        if (target == null) {
            schedule(outgoing, RETRY_MILLIS);
            return;
        }
        int serial = serials.incrementAndGet();
        int bytes = serial % ONE_LARGE_IN == 0 ? LARGE_LANE_BYTES : LANE_BYTES[serial % LANE_BYTES.length];
        Line line = newLine(serial, bytes, outgoing);
        if (line == null) {
            schedule(outgoing, RETRY_MILLIS);
            return;
        }
        establish(
                line,
                target.life(),
                deadline -> verbs().connect(
                                target.address(), line.queuePair(), mix().connecting(answer(line), serial), deadline));
    }

    private @Nullable Line newLine(int serial, int laneBytes, @Nullable Outgoing outgoing) {
        Worker worker = workers.get(serial % workers.size());
        boolean shared = serial / workers.size() % 2 == 0;
        open.incrementAndGet();
        try {
            return new Line(this, worker, serial, laneBytes, shared, outgoing);
        } catch (RuntimeException | Error e) {
            open.decrementAndGet();
            faults().report(Faults.Kind.REFUSED, "a queue pair cannot be made: " + Texts.of(e));
            return null;
        }
    }

    private ConnectionConfig answer(Line line) {
        return ConnectionConfig.defaults()
                .withDepths(
                        Math.min(DEPTH, verbs().capabilities().maxResponderResources()),
                        Math.min(DEPTH, verbs().capabilities().maxInitiatorDepth()))
                .withPrivateData(line.hello().encode());
    }

    /** Sets a line up by {@code step}; a failure is none of the soak's, since peers die and lie. */
    private void establish(Line line, @Nullable Life known, Function<Deadline, Connection> step) {
        Worker worker = workers.get(line.serial() % workers.size());
        try {
            Connection connection = step.apply(Deadline.in(SETUP_SECONDS, TimeUnit.SECONDS));
            Optional<Hello> peer = Hello.decode(connection.privateData());
            if (peer.isEmpty()) {
                connection.close();
                throw new IllegalStateException("a peer answered without hello");
            }
            Life life = known == null ? lives.apply(peer.get()) : known;
            worker.execute(() -> {
                worker.add(line);
                line.up(connection, peer.get(), life);
            });
            return;
        } catch (VerbsException e) {
            tally().add(Count.ATTEMPTS_FAILED);
        } catch (RuntimeException | Error e) {
            faults().report(Faults.Kind.REFUSED, line + ": " + Texts.of(e));
        }
        worker.execute(() -> {
            worker.add(line);
            line.failed();
        });
    }

    private void acceptAll() {
        while (!closing) {
            try {
                listener.poll(Deadline.in(POLL_MILLIS, TimeUnit.MILLISECONDS)).ifPresent(this::answer);
            } catch (RuntimeException | Error e) {
                faults().report(Faults.Kind.REFUSED, "accepting: " + Texts.of(e));
                return;
            }
        }
    }

    private void answer(ConnectionRequest request) {
        Optional<Hello> peer = Hello.decode(request.privateData());
        if (paused || peer.isEmpty()) {
            tally().add(Count.REQUESTS_REFUSED);
            withRequest(request, each -> each.reject(new byte[0]));
            return;
        }
        accepting.execute(guarded("accept", () -> withRequest(request, each -> accept(each, peer.get()))));
    }

    private void withRequest(ConnectionRequest request, Consumer<ConnectionRequest> step) {
        try (request) {
            step.accept(request);
        } catch (VerbsException e) {
            tally().add(Count.ATTEMPTS_FAILED);
        }
    }

    private void accept(ConnectionRequest request, Hello peer) {
        Line line = newLine(serials.incrementAndGet(), peer.laneBytes(), null);
        if (line == null) {
            return;
        }
        if (peer.incarnation() < 0) {
            tally().add(Count.HOSTILE);
        }
        establish(line, lives.apply(peer), deadline -> request.accept(line.queuePair(), answer(line), deadline));
    }

    /** Closes everything; it must be drained. */
    @Override
    public void close() {
        closing = true;
        try {
            acceptor.join();
            for (ScheduledThreadPoolExecutor pool : List.of(connecting, accepting, ending)) {
                pool.shutdown();
                if (!pool.awaitTermination(SETUP_SECONDS, TimeUnit.SECONDS)) {
                    faults().report(Faults.Kind.SOAK, "threads are still at it: " + pool);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        listener.close();
        workers.forEach(Worker::close);
        domain().close();
        verbs().close();
    }
}
