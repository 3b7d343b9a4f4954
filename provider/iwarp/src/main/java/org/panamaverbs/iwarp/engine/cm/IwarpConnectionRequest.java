package org.panamaverbs.iwarp.engine.cm;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PendingConnection;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.support.Limits;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.engine.context.ConnectionOptions;
import org.panamaverbs.iwarp.engine.context.Device;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.IwarpOption;
import org.panamaverbs.iwarp.engine.context.WaitPoint;
import org.panamaverbs.iwarp.engine.objects.IwarpProtectionDomain;
import org.panamaverbs.iwarp.engine.objects.IwarpQueuePair;
import org.panamaverbs.iwarp.engine.transport.Addresses;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.memory.ManagedResource;

/** A peer's request that was taken from its listener. */
public final class IwarpConnectionRequest extends ManagedResource implements ConnectionRequest {
    private final CmContext cm;
    private final Handshake handshake;
    private final AtomicBoolean answered;

    IwarpConnectionRequest(CmContext cm, Handshake handshake) {
        super("connection request of " + Addresses.text(handshake.peer()), cm.owner());
        this.cm = cm;
        this.handshake = handshake;
        try {
            answered = new AtomicBoolean();
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return handshake.peer();
    }

    // What the peer said does not change after the request was handed over.

    @Override
    public byte[] privateData() {
        return handshake.startup().peerPrivateData();
    }

    @Override
    public int peerInitiatorDepth() {
        return handshake.startup().peerOrd();
    }

    @Override
    public int peerResponderResources() {
        return handshake.startup().peerIrd();
    }

    @Override
    public Optional<SSLSession> tlsSession() {
        return Optional.ofNullable(handshake.tlsSession());
    }

    @Override
    public Connection accept(QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        ConnectionOptions options = check(config);
        return accept(() -> IwarpQueuePair.own(queuePair, cm.context()), false, config, options, deadline);
    }

    @Override
    public Connection accept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        ConnectionOptions options = check(config);
        return accept(() -> IwarpProtectionDomain.create(queuePair, cm.context()), true, config, options, deadline);
    }

    @Override
    public PendingConnection beginAccept(QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        ConnectionOptions options = check(config);
        return begin(() -> IwarpQueuePair.own(queuePair, cm.context()), false, config, options, deadline);
    }

    @Override
    public PendingConnection beginAccept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        ConnectionOptions options = check(config);
        return begin(() -> IwarpProtectionDomain.create(queuePair, cm.context()), true, config, options, deadline);
    }

    private PendingConnection begin(
            Supplier<IwarpQueuePair> source,
            boolean owned,
            ConnectionConfig config,
            ConnectionOptions options,
            Deadline deadline) {
        answer();
        IwarpQueuePair queuePair = claim(source, owned);
        Attempt attempt = null;
        PendingSetup pending = null;
        try {
            Attempt its = Connector.attempt("accept", cm, queuePair, remoteAddress(), options);
            attempt = its;
            StartupConfig startup = Connector.startup(cm.options(), config);
            pending = new PendingSetup(cm, "accept", queuePair, owned, its);
            pending.begin(() -> {
                cm.loop().execute(() -> handshake.accept(startup, config.typeOfService(), its));
                return handshake;
            });
            pending.watch(deadline);
            return pending;
        } catch (Throwable e) {
            if (pending != null) {
                pending.withdraw();
            }
            Attempt.undo(e, attempt, handshake, queuePair, owned ? queuePair : null);
            throw e;
        } finally {
            closeAnswered();
        }
    }

    /** Ends the request as if it had never been: nobody has it, and the handshake goes on. */
    void withdraw() {
        abandon();
    }

    /** Tells whether the peer has left; it may leave at any time. */
    public boolean peerLeft() {
        return handshake.outcome().hasFailed();
    }

    private ConnectionOptions check(ConnectionConfig config) {
        requireOpen();
        for (IwarpOption<?> each : ConnectionOptions.OFFERED) {
            if (config.options().containsKey(each.key())) {
                throw new IllegalArgumentException("option " + each.key()
                        + " of connections that are accepted is the context's: give it to Verbs.open");
            }
        }
        Limits.checkPrivateData(config.privateData(), handshake.startup().maxPrivateData());
        Device.LIMITS.checkAccepted(config);
        return ConnectionOptions.parse(config, cm.options());
    }

    private IwarpConnection accept(
            Supplier<IwarpQueuePair> source,
            boolean owned,
            ConnectionConfig config,
            ConnectionOptions options,
            Deadline deadline) {
        answer();
        IwarpQueuePair queuePair = claim(source, owned);
        Attempt attempt = null;
        try {
            Attempt its = Connector.attempt("accept", cm, queuePair, remoteAddress(), options);
            attempt = its;
            EventLoop loop = cm.loop();
            StartupConfig startup = Connector.startup(cm.options(), config);
            loop.execute(() -> handshake.accept(startup, config.typeOfService(), its));
            return new IwarpConnection(cm, queuePair, owned, its.await(loop, handshake, deadline));
        } catch (Throwable e) {
            // If the loop never heard of the answer the peer still waits.
            Attempt.undo(e, attempt, handshake, queuePair, owned ? queuePair : null);
            throw e;
        } finally {
            closeAnswered();
        }
    }

    private void closeAnswered() {
        try {
            closeOrLeave();
        } catch (OutOfMemoryError e) {
            // Who accepted has a connection now and must not lose it for this; the device closes the request.
        }
    }

    /** Takes the queue pair; if that fails the request is there for another. */
    private IwarpQueuePair claim(Supplier<IwarpQueuePair> source, boolean owned) {
        IwarpQueuePair queuePair = null;
        boolean claimed = false;
        try {
            queuePair = source.get();
            queuePair.claim("accept");
            claimed = true;
            return queuePair;
        } finally {
            if (!claimed) {
                takeBack();
                if (owned && queuePair != null) {
                    queuePair.closeWithOwner();
                }
            }
        }
    }

    /** Has the request unanswered again. */
    private void takeBack() {
        answered.set(false);
        if (!isOpen()) {
            release(); // which found it answered
        }
    }

    @Override
    public void reject(byte[] privateData) {
        requireOpen();
        Limits.checkPrivateData(privateData, handshake.startup().maxPrivateData());
        answer();
        try {
            byte[] copy = privateData.clone();
            Rejection rejection = new Rejection();
            cm.loop().execute(() -> handshake.reject(copy, rejection));
            Deadline deadline =
                    new Deadline(System.nanoTime() + cm.options().get(IwarpOption.HANDSHAKE_TIMEOUT), false);
            rejection.sent.sleep(() -> rejection.over, deadline);
        } catch (Throwable e) {
            handshake.drop();
            throw e;
        } finally {
            close();
        }
    }

    private void answer() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException(resourceName() + " was answered before");
        }
    }

    /** Hears when the rejection is sent; that the peer does not hear it any more is no error. */
    private static final class Rejection implements Handshake.Owner {
        private final WaitPoint sent = new WaitPoint();
        private volatile boolean over;

        @Override
        public void requestReady(Handshake handshake) {
            throw new IllegalStateException("a rejected request does not come again");
        }

        @Override
        public void agreed(Handshake handshake, Transport transport, Watch watch) {
            throw new IllegalStateException("a rejected request is not agreed to");
        }

        @Override
        public void ended(Handshake handshake, @Nullable ConnectionException failure) {
            over = true;
            sent.changed();
        }
    }

    @Override
    protected void release() {
        if (answered.compareAndSet(false, true)) {
            handshake.drop();
        }
    }
}
