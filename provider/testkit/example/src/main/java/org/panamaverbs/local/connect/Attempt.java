package org.panamaverbs.local.connect;

import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.objects.LocalQueuePair;
import org.panamaverbs.spi.software.SoftwareConnection;

/** An attempt to connect, from the request to its answer. Guarded by the lock of {@link Fabric}. */
final class Attempt {
    final LocalQueuePair queuePair;
    final ConnectionConfig asked;
    private @Nullable Ends ends;
    /** What the peer grants, once it has accepted. */
    private @Nullable ConnectionConfig reply;
    /** Why there is no connection, once that is so. */
    private @Nullable Supplier<? extends VerbsException> failure;
    /** Hears of the answer. */
    private Runnable onAnswer = () -> {};

    /** From where to where. */
    private record Ends(InetSocketAddress source, InetSocketAddress target) {}

    Attempt(LocalQueuePair queuePair, ConnectionConfig asked) {
        this.queuePair = queuePair;
        this.asked = asked;
    }

    /** Says from where to where it is, once the name of the peer is looked up and before that is asked. */
    void between(InetSocketAddress source, InetSocketAddress target) {
        ends = new Ends(source, target);
    }

    boolean isAsked() {
        return ends != null;
    }

    InetSocketAddress source() {
        return ends().source();
    }

    InetSocketAddress target() {
        return ends().target();
    }

    private Ends ends() {
        return Objects.requireNonNull(ends, "nobody is asked yet");
    }

    /** Has {@code action} run when it is answered. */
    void onAnswer(Runnable action) {
        onAnswer = action;
    }

    boolean isAnswered() {
        return reply != null || failure != null;
    }

    /** Ends the attempt, unless it was answered. */
    void fail(Supplier<? extends VerbsException> newFailure) {
        if (!isAnswered()) {
            failure = newFailure;
            Fabric.LOCK.notifyAll();
            onAnswer.run();
        }
    }

    /** Connects both queue pairs and returns {@code peer}; {@code accepted} is what it grants. */
    LocalQueuePair accept(LocalQueuePair peer, ConnectionConfig accepted) {
        queuePair.connect(
                peer,
                Math.min(asked.initiatorDepth(), accepted.responderResources()),
                Math.min(accepted.initiatorDepth(), asked.responderResources()));
        reply = accepted;
        Fabric.LOCK.notifyAll();
        onAnswer.run();
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
            return new SoftwareConnection(
                    "connect", queuePair, new SoftwareConnection.Ends(source(), target()), asked, reply, ownsQueuePair);
        } catch (RuntimeException | Error e) {
            queuePair.fail();
            throw e;
        }
    }

    static Supplier<ConnectionException> refused(InetSocketAddress address) {
        return () -> new ConnectionException(
                "connect", Reason.REFUSED, "nobody in this process listens at " + address, null);
    }

    static Supplier<DeadlineExceededException> late(InetSocketAddress address) {
        return () -> new DeadlineExceededException("connect", "no answer from " + address + " before the deadline");
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
