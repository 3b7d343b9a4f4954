package org.panamaverbs.bench.loopback.exchange;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.CompletionQueue;
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
    private final CompletionQueue queue;
    private final RegisteredBuffer buffer;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(32);

    private Side(OpenConfig config, int completionCapacity, long bytes) {
        verbs = resources.add(Verbs.open(config));
        domain = resources.add(verbs.protectionDomain());
        queue = resources.add(verbs.completionQueue(completionCapacity));
        buffer = resources.add(domain.allocate(
                bytes, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC));
    }

    /** Opens a side with {@code bytes} of memory. */
    public static Side open(OpenConfig config, int completionCapacity, long bytes) {
        return new Side(config, completionCapacity, bytes);
    }

    public Verbs verbs() {
        return verbs;
    }

    public RegisteredBuffer buffer() {
        return buffer;
    }

    public QueuePairConfig queuePairs(int depth) {
        return QueuePairConfig.of(domain, queue).withDepth(depth, depth);
    }

    /** Listens on the loopback, at a port of the system's choice. */
    public Listener listen() {
        return verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** Accepts the next connection of {@code listener}, for {@code depth} outstanding sends, and receives. */
    public Connection accept(Listener listener, int depth) {
        Deadline deadline = soon();
        return listener.accept(deadline).accept(queuePairs(depth), ConnectionConfig.defaults(), deadline);
    }

    /** Connects to a listener of this host, for {@code depth} outstanding sends, and receives. */
    public Connection connect(int port, int depth) {
        InetSocketAddress peer = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return verbs.connect(peer, queuePairs(depth), soon());
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
