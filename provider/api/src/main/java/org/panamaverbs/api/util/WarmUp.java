package org.panamaverbs.api.util;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.REMOTE_ATOMIC;
import static org.panamaverbs.memory.Access.REMOTE_READ;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * Drives the data path within this process until it costs no less, so that the first message that counts is carried by
 * compiled code: in a trading program, before the market opens.
 *
 * <pre>{@code
 * try (Verbs verbs = Verbs.open()) {
 *     WarmUp done = WarmUp.drive(verbs, InetAddress.getLoopbackAddress(), Deadline.in(10, SECONDS));
 *     System.out.println(done); // 412,160 messages in 2.9 s, steady at 0.9 us a message
 * }
 * }</pre>
 *
 * <p>Two queue pairs of {@code verbs} are connected with each other. Sends, Writes, Reads and, where the device has
 * them, atomics of 64 bytes (8) are posted alone and 16 to a doorbell, and Writes of 4 KiB; one thread posts and polls
 * both sides. Compiled code belongs to the process, so that all connections of the same kind profit, of other contexts
 * too. The kind is what {@code verbs} uses to reach {@code address}: with provider {@code iwarp} that is shared memory
 * within a host, so for a peer elsewhere warm up a context that was opened with {@code shm=off}, and with the options
 * ({@code crc}, {@code progress}) that will be used.
 *
 * <p>The application's own code, and the shape of its requests, are not warm by this: send some 20,000 of its own
 * messages as well.
 */
public final class WarmUp {
    private static final int BATCH = 16;
    private static final int LONE = 16;
    private static final int BYTES = 64;
    private static final int LONG_BYTES = 4096;
    // In the buffer of either side: what it sends, the target of the peer's Writes and atomics, what it receives.
    private static final long TARGET = LONG_BYTES;
    private static final long RECEIVED = TARGET + LONG_BYTES;
    private static final long BUFFER_BYTES = RECEIVED + BYTES;
    private static final int CAPACITY = 4 * BATCH;
    private static final long WINDOW_NANOS = 50_000_000L;
    // Steady is what did not become better by a twentieth for a second. On a busy machine that is true of code that is
    // still interpreted, so there is a least number, too.
    private static final long LEAST_MESSAGES = 200_000;
    private static final int QUIET_WINDOWS = 20;
    private static final double BETTER = 0.95;
    private static final int POLLS_A_LOOK = 1 << 16;
    // Behind the deadline, for what was posted just before.
    private static final long GRACE_NANOS = 1_000_000_000L;
    private static final int TOKEN_BYTES = 8;

    /** One of the two ends; its objects are those of {@link #drive}. */
    private static final class Side {
        final CompletionQueue queue;
        final QueuePair queuePair;
        final RegisteredBuffer buffer;
        final RemoteBuffer remote;
        final WorkCompletions completions = WorkCompletions.ofCapacity(CAPACITY);
        long messages;
        // Requests and receives that have not completed.
        int open;

        Side(CompletionQueue queue, QueuePair queuePair, RegisteredBuffer buffer, RegisteredBuffer peers) {
            this.queue = queue;
            this.queuePair = queuePair;
            this.buffer = buffer;
            remote = peers.remote();
        }

        void receive() {
            PostStatus.check(queuePair.recv(0, buffer, RECEIVED, BYTES));
            open++;
        }

        void posted(int status) {
            PostStatus.check(status);
            messages++;
            open++;
        }

        void poll() {
            int count = queue.poll(completions);
            for (int i = 0; i < count; i++) {
                if (!completions.get(i).ok()) {
                    throw new IllegalStateException("WarmUp.drive: " + completions.get(i));
                }
            }
            open -= count;
        }
    }

    private final long messages;
    private final long nanos;
    private final double best;
    private final boolean steady;

    private WarmUp(long messages, long nanos, double best, boolean steady) {
        this.messages = messages;
        this.nanos = nanos;
        this.best = best;
        this.steady = steady;
    }

    /**
     * Connects {@code verbs} with itself and drives both sides until a message costs no less, or the deadline passes.
     * Closes what it has created. Not for the thread of an event loop: it takes seconds, and a whole processor. An
     * adapter has to loop back to itself, which some do not.
     *
     * @param verbs the device; other connections of it may be used meanwhile, and are as slow as beside a busy thread
     * @param address of this host, at which {@code verbs} can listen and which it can reach: the loopback's for
     *     software, that of the adapter's port for {@code ibverbs}
     * @param deadline when to stop at the latest; ten seconds are enough on most machines
     * @return what was done; {@link #isSteady} is false if the deadline came before
     * @throws org.panamaverbs.api.DeadlineExceededException if the connection was not set up before the deadline
     * @throws org.panamaverbs.api.ConnectionException if {@code verbs} cannot connect with itself
     * @throws org.panamaverbs.api.ResourceException if the device has no room for two queue pairs
     * @throws WaitInterruptedException if this thread is interrupted; its flag stays set
     * @throws IllegalStateException if a request fails, with its completion
     */
    public static WarmUp drive(Verbs verbs, InetAddress address, Deadline deadline) {
        Capabilities can = verbs.capabilities();
        boolean atomics = can.has(Capabilities.Feature.ATOMICS);
        Access[] rights = atomics
                ? new Access[] {LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC}
                : new Access[] {LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ};
        byte[] token = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(token);
        ConnectionConfig config = ConnectionConfig.defaults()
                .withPrivateData(token)
                .withDepths(Math.min(BATCH, can.maxResponderResources()), Math.min(BATCH, can.maxInitiatorDepth()));
        try (ProtectionDomain domain = verbs.protectionDomain();
                CompletionQueue queue = verbs.completionQueue(CAPACITY);
                CompletionQueue others = verbs.completionQueue(CAPACITY);
                RegisteredBuffer buffer = domain.allocate(BUFFER_BYTES, rights);
                RegisteredBuffer another = domain.allocate(BUFFER_BYTES, rights);
                QueuePair asks = domain.queuePair(config(domain, queue));
                QueuePair answers = domain.queuePair(config(domain, others));
                Listener listener = verbs.listen(new InetSocketAddress(address, 0))) {
            FutureTask<Connection> accept = new FutureTask<>(() -> accept(listener, token, answers, config, deadline));
            Thread.ofPlatform().daemon().name("verbs-warm-up").start(accept);
            try (Connection connection = connect(verbs, listener, asks, config, deadline, accept);
                    Connection accepted = result(accept)) {
                boolean reads = connection.initiatorDepth() > 0 && accepted.initiatorDepth() > 0;
                return drive(
                        new Side(queue, connection.queuePair(), buffer, another),
                        new Side(others, accepted.queuePair(), another, buffer),
                        reads,
                        reads && atomics,
                        deadline);
            }
        }
    }

    private static QueuePairConfig config(ProtectionDomain domain, CompletionQueue queue) {
        return QueuePairConfig.of(domain, queue).withDepth(2 * BATCH, 2 * BATCH).withAllRemoteAccess();
    }

    /** Connects; if that fails, whoever accepts ends, and a connection of that is closed. */
    private static Connection connect(
            Verbs verbs,
            Listener listener,
            QueuePair queuePair,
            ConnectionConfig config,
            Deadline deadline,
            FutureTask<Connection> accept) {
        try {
            return verbs.connect(listener.localAddress(), queuePair, config, deadline);
        } catch (RuntimeException e) {
            listener.close();
            try {
                result(accept).close();
            } catch (RuntimeException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
    }

    /** Accepts the connection that shows the token; others may have found the port. */
    private static Connection accept(
            Listener listener, byte[] token, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        while (true) {
            ConnectionRequest request = listener.accept(deadline);
            byte[] shown = request.privateData();
            // InfiniBand fills it up.
            if (shown.length >= TOKEN_BYTES && Arrays.equals(shown, 0, TOKEN_BYTES, token, 0, TOKEN_BYTES)) {
                return request.accept(queuePair, config, deadline);
            }
            request.reject(new byte[0]);
        }
    }

    private static Connection result(FutureTask<Connection> accept) {
        try {
            return accept.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof VerbsException refused) {
                throw refused;
            }
            throw new IllegalStateException("WarmUp.drive: the connection was not accepted", e.getCause());
        }
    }

    private static WaitInterruptedException interrupted() {
        return new WaitInterruptedException("WarmUp.drive", "interrupted while the data path was driven");
    }

    private static WarmUp drive(Side one, Side other, boolean reads, boolean atomics, Deadline deadline) {
        long begin = System.nanoTime();
        double best = Double.POSITIVE_INFINITY;
        int quiet = 0;
        do {
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted();
            }
            long from = System.nanoTime();
            long before = one.messages + other.messages;
            long now;
            do {
                exchange(one, other, reads, atomics, deadline);
                exchange(other, one, reads, atomics, deadline);
                now = System.nanoTime();
            } while (now - from < WINDOW_NANOS && !deadline.passed());
            double cost = (double) (now - from) / (one.messages + other.messages - before);
            quiet = cost < best * BETTER ? 0 : quiet + 1;
            best = Math.min(best, cost);
        } while (!isSteady(quiet, one, other) && !deadline.passed());
        return new WarmUp(one.messages + other.messages, System.nanoTime() - begin, best, isSteady(quiet, one, other));
    }

    private static boolean isSteady(int quiet, Side one, Side other) {
        return quiet >= QUIET_WINDOWS && one.messages + other.messages >= LEAST_MESSAGES;
    }

    /** What one side posts in a turn. */
    private static void exchange(Side from, Side to, boolean reads, boolean atomics, Deadline deadline) {
        for (int i = 0; i < LONE; i++) {
            to.receive();
            from.posted(from.queuePair.send(0, from.buffer, 0, BYTES, SIGNALED));
            settle(from, to, deadline);
            from.posted(from.queuePair.write(0, from.buffer, 0, BYTES, from.remote, TARGET, SIGNALED));
            settle(from, to, deadline);
        }
        from.posted(from.queuePair.write(0, from.buffer, 0, LONG_BYTES, from.remote, TARGET, SIGNALED));
        settle(from, to, deadline);
        if (reads) {
            from.posted(from.queuePair.read(0, from.buffer, 0, BYTES, from.remote, TARGET, SIGNALED));
            settle(from, to, deadline);
        }
        if (atomics) {
            from.posted(from.queuePair.fetchAdd(0, from.buffer, 0, from.remote, TARGET, 1, SIGNALED));
            settle(from, to, deadline);
            from.posted(from.queuePair.cmpSwap(0, from.buffer, 0, from.remote, TARGET, 0, 1, SIGNALED));
            settle(from, to, deadline);
        }
        Batch batch = from.queuePair.batch();
        for (int i = 0; i < BATCH; i++) {
            to.receive();
            from.posted(batch.send(0, from.buffer, 0, BYTES, SIGNALED));
        }
        PostStatus.check(batch.submitAll());
        settle(from, to, deadline);
    }

    /** Polls both queues until all that is posted has completed: polls alone may drive the peer of a request. */
    private static void settle(Side one, Side other, Deadline deadline) {
        long late = 0;
        for (int polls = 1; one.open + other.open > 0; polls++) {
            one.poll();
            other.poll();
            if (polls % POLLS_A_LOOK == 0) {
                if (Thread.currentThread().isInterrupted()) {
                    throw interrupted();
                }
                if (deadline.passed()) {
                    long now = System.nanoTime();
                    late = late == 0 ? now : late;
                    if (now - late > GRACE_NANOS) {
                        throw new DeadlineExceededException("WarmUp.drive", "a request did not complete");
                    }
                }
            }
        }
    }

    /** Returns how many messages were exchanged. */
    public long messages() {
        return messages;
    }

    /** Returns how long that took, without set-up. */
    public Duration took() {
        return Duration.ofNanos(nanos);
    }

    /** Returns what a message cost at best, post, passage and completion of both sides: nanoseconds. */
    public double nanosPerMessage() {
        return best;
    }

    /** Tells whether messages cost no less at the end; false if the deadline came before that was known. */
    public boolean isSteady() {
        return steady;
    }

    /** Returns a line for people. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d messages in %.1f s, %s at %.1f us a message",
                messages,
                nanos / 1e9,
                steady ? "steady" : "not steady yet",
                best / 1e3);
    }
}
