package org.panamaverbs.testkit.crowd;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;

/** What both sides have: one event queue, one completion queue and shared receives for all connections. */
final class CrowdSide implements AutoCloseable {
    static final int BYTES = 64;
    private static final int RECEIVES = 1024;
    private static final int MOST_COMPLETIONS = 1 << 16;

    final Verbs verbs;
    final EventQueue events;
    final CompletionQueue completions;
    final ProtectionDomain domain;
    final RegisteredBuffer buffer;
    final Events taken = Events.ofCapacity(256);
    final Set<Connection> connections = new HashSet<>();
    private final Map<Integer, QueuePair> queuePairs = new HashMap<>();
    private final Map<Integer, PendingConnection> attempts = new HashMap<>();
    private final Resources resources = new Resources();
    private final SharedReceiveQueue receives;
    private final WorkCompletions polled = WorkCompletions.ofCapacity(256);

    /** Creates a side of {@code opened}, which it closes. */
    CrowdSide(Verbs opened) {
        verbs = resources.add(opened);
        domain = resources.add(verbs.protectionDomain());
        CompletionChannel channel = resources.add(verbs.completionChannel());
        int capacity = Math.min(MOST_COMPLETIONS, verbs.capabilities().maxCqe());
        completions = resources.add(
                verbs.completionQueue(CompletionQueueConfig.of(capacity).withChannel(channel)));
        receives = resources.add(
                domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(RECEIVES).withSge(1)));
        buffer = resources.add(domain.allocate((long) RECEIVES * BYTES, Access.LOCAL_WRITE));
        events = resources.add(verbs.eventQueue());
        events.add(channel, null);
        for (int i = 0; i < RECEIVES; i++) {
            receive(i);
        }
        completions.arm(false);
    }

    QueuePairConfig queuePair() {
        return QueuePairConfig.of(domain, completions)
                .withSrq(receives)
                .withDepth(4, 0)
                .withSge(1, 1)
                .withInline(BYTES);
    }

    /** What is done with a message. */
    interface Receiver {
        void received(int qpNumber, long place);
    }

    /** Takes all completions, arms the queue, and gives receives back; what failed is of a connection that ends. */
    void drain(Receiver receiver) {
        take(receiver);
        completions.arm(false);
        // What came before raises no event.
        take(receiver);
    }

    private void take(Receiver receiver) {
        for (int count = completions.poll(polled); count != 0; count = completions.poll(polled)) {
            for (int i = 0; i < count; i++) {
                WorkCompletion each = polled.get(i);
                if (each.wrId() >= 0) {
                    if (each.ok()) {
                        receiver.received(each.qpNumber(), each.wrId());
                    }
                    receive(each.wrId());
                }
            }
        }
    }

    private void receive(long place) {
        require(receives.recv(place, buffer, place * BYTES, BYTES) == 0);
    }

    /** Sends the message at {@code place} on the connection of {@code qpNumber}. */
    void send(int qpNumber, long place) {
        QueuePair queuePair = Objects.requireNonNull(queuePairs.get(qpNumber), "a queue pair that nobody knows");
        require(queuePair.sendInline(-1, buffer.segment(), place * BYTES, BYTES, SendFlag.SIGNALED) >= 0);
    }

    static void require(boolean condition) {
        if (!condition) {
            throw new AssertionError("a request was refused");
        }
    }

    /** Begins to watch {@code attempt}, whose queue pair may have messages before it is established. */
    void begun(PendingConnection attempt, @Nullable Object attachment) {
        queuePairs.put(attempt.queuePair().number(), attempt.queuePair());
        attempts.put(attempt.queuePair().number(), attempt);
        events.add(attempt, attachment);
    }

    void established(Connection connection) {
        attempts.remove(connection.queuePair().number());
        connections.add(connection);
        events.add(connection, null);
    }

    void disconnected(Connection connection) {
        queuePairs.remove(connection.queuePair().number());
        connections.remove(connection);
        connection.close();
    }

    /** Waits for events. */
    int await(Deadline deadline) {
        return events.await(taken, deadline);
    }

    @Override
    public void close() {
        attempts.values().forEach(PendingConnection::close);
        connections.forEach(Connection::close);
        resources.close();
    }
}
