package org.panamaverbs.local.connect;

import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.objects.LocalQueuePair;

/** An attempt to connect, from the request to its answer. Guarded by the lock of {@link Fabric}. */
final class Attempt {
    final LocalQueuePair queuePair;
    final ConnectionConfig asked;
    final InetSocketAddress source;
    final InetSocketAddress target;
    /** What the peer grants, once it has accepted. */
    private @Nullable ConnectionConfig reply;
    /** Why there is no connection, once that is so. */
    private @Nullable Supplier<ConnectionException> failure;

    Attempt(LocalQueuePair queuePair, ConnectionConfig asked, InetSocketAddress source, InetSocketAddress target) {
        this.queuePair = queuePair;
        this.asked = asked;
        this.source = source;
        this.target = target;
    }

    boolean isAnswered() {
        return reply != null || failure != null;
    }

    /** Ends the attempt, unless it was answered. */
    void fail(Supplier<ConnectionException> newFailure) {
        if (!isAnswered()) {
            failure = newFailure;
            Fabric.LOCK.notifyAll();
        }
    }

    /** Connects both queue pairs and returns {@code peer}; {@code accepted} is what it grants. */
    LocalQueuePair accept(LocalQueuePair peer, ConnectionConfig accepted) {
        queuePair.connect(peer);
        reply = accepted;
        Fabric.LOCK.notifyAll();
        return peer;
    }

    /** Returns the initiator's connection, or throws why there is none. */
    Connection finish(boolean ownsQueuePair) {
        if (failure != null) {
            queuePair.fail();
            throw failure.get();
        }
        if (reply == null) {
            throw new AssertionError("not answered");
        }
        try {
            return new LocalConnection(
                    "connect",
                    queuePair,
                    new LocalConnection.Ends(source, target),
                    reply.privateData(),
                    Depths.of(asked, reply),
                    ownsQueuePair);
        } catch (RuntimeException | Error e) {
            queuePair.fail();
            throw e;
        }
    }

    static Supplier<ConnectionException> closed(LocalQueuePair queuePair) {
        return () -> new ConnectionException("connect", Reason.CLOSED, queuePair + " was closed meanwhile", null);
    }

    static Supplier<ConnectionException> withdrawn(InetSocketAddress address) {
        return () -> new ConnectionException("accept", Reason.RESET, "the peer of " + address + " gave up", null);
    }

    static Supplier<ConnectionException> dropped(InetSocketAddress address) {
        return () -> new ConnectionException(
                "connect", Reason.RESET, "the request was dropped unanswered at " + address, null);
    }

    static Supplier<ConnectionException> rejected(InetSocketAddress address, byte[] data) {
        return () -> new ConnectionException(
                "connect", Reason.REJECTED, "the application at " + address + " rejected", data, null, null);
    }

    /** Throws why it failed, if it has. */
    void requireWaiting() {
        if (failure != null) {
            throw failure.get();
        }
    }
}
