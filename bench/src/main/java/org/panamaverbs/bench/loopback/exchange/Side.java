package org.panamaverbs.bench.loopback.exchange;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;

/** One side: a device that is open, a completion queue, and memory that its peers may use. */
public final class Side implements AutoCloseable {
    /** Outstanding sends, and receives, of each queue pair. */
    static final int DEPTH = 128;

    private static final int SECONDS = 30;

    private final Resources resources = new Resources();
    private final Verbs verbs;
    private final ProtectionDomain domain;
    private final @Nullable CompletionChannel channel;
    private final CompletionQueue queue;
    private final RegisteredBuffer buffer;
    private final List<QueuePair> ends = new ArrayList<>();
    private final WorkCompletions completions = WorkCompletions.ofCapacity(32);

    private Side(OpenConfig config, int completionCapacity, long bytes, boolean events) {
        verbs = resources.add(Verbs.open(config));
        domain = resources.add(verbs.protectionDomain());
        CompletionQueueConfig queues = CompletionQueueConfig.of(completionCapacity);
        channel = events ? resources.add(verbs.completionChannel()) : null;
        queue = resources.add(verbs.completionQueue(channel == null ? queues : queues.withChannel(channel)));
        buffer = resources.add(domain.allocate(
                bytes, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC));
    }

    /** Opens a side with {@code bytes} of memory. */
    public static Side open(OpenConfig config, int completionCapacity, long bytes) {
        return new Side(config, completionCapacity, bytes, false);
    }

    /** Opens a side with {@code bytes} of memory whose completions can be waited for. */
    public static Side withEvents(OpenConfig config, int completionCapacity, long bytes) {
        return new Side(config, completionCapacity, bytes, true);
    }

    public Verbs verbs() {
        return verbs;
    }

    public RegisteredBuffer buffer() {
        return buffer;
    }

    /** Returns how queue pairs are made with {@code depth} outstanding sends, and receives. */
    public QueuePairConfig queuePairs(int depth) {
        return queuePairs(depth, depth);
    }

    public QueuePairConfig queuePairs(int sends, int receives) {
        return QueuePairConfig.of(domain, queue).withDepth(sends, receives).withAllRemoteAccess();
    }

    /** Returns a wait for completions, of a side with events, that polls for so long before it sleeps. */
    public CompletionWait waiting(Duration spin) {
        return CompletionWait.of(queue, requireNonNull(channel, "a side with events"), spin);
    }

    /** Listens on the loopback, at a port of the system's choice. */
    public Listener listen() {
        return verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** Accepts the next connection of {@code listener}, which is closed with this side, and returns its end. */
    public QueuePair accept(Listener listener, QueuePairConfig queuePair) {
        Deadline deadline = soon();
        return connected(listener.accept(deadline).accept(queuePair, ConnectionConfig.defaults(), deadline));
    }

    /** Connects to a listener of this host; the connection is closed with this side, and its end returned. */
    public QueuePair connect(int port, QueuePairConfig queuePair) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return connected(verbs.connect(address, queuePair, soon()));
    }

    private QueuePair connected(Connection connection) {
        ends.add(resources.add(connection).queuePair());
        return ends.getLast();
    }

    /** Returns the ends of its connections, in the order in which they were made. */
    List<QueuePair> ends() {
        return ends;
    }

    static Deadline soon() {
        return Deadline.in(SECONDS, TimeUnit.SECONDS);
    }

    /** Polls once, and returns how many completions came; each is {@link #completion}. */
    public int poll() {
        return queue.poll(completions);
    }

    /**
     * Returns completion {@code index} of the last poll.
     *
     * @throws IllegalStateException if it is not a success
     */
    public WorkCompletion completion(int index) {
        WorkCompletion completion = completions.get(index);
        if (!completion.ok()) {
            throw new IllegalStateException("an operation failed: " + completion);
        }
        return completion;
    }

    /** Polls once, and returns how many sends have completed. */
    int pollSends() {
        int count = poll();
        for (int i = 0; i < count; i++) {
            completion(i);
        }
        return count;
    }

    /** Posts a receive of {@code length} bytes at {@code offset}. */
    public void receive(QueuePair queuePair, long wrId, long offset, int length) {
        PostStatus.check(queuePair.recv(wrId, buffer, offset, length));
    }

    @Override
    public void close() {
        resources.close((resource, failure) -> new IllegalStateException("cannot close " + resource, failure));
    }
}
