package org.panamaverbs.iwarp.engine;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.memory.ManagedResource;

/** A peer's request that was taken from its listener. */
final class IwarpConnectionRequest extends ManagedResource implements ConnectionRequest {
    private final IwarpVerbs verbs;
    private final Handshake handshake;
    private final AtomicBoolean answered = new AtomicBoolean();

    IwarpConnectionRequest(IwarpVerbs verbs, Handshake handshake) {
        super("connection request of " + SocketErrors.text(handshake.peer()), verbs);
        this.verbs = verbs;
        this.handshake = handshake;
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
        return accept(() -> verbs.own(queuePair), false, config, options, deadline);
    }

    @Override
    public Connection accept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        ConnectionOptions options = check(config);
        return accept(() -> verbs.create(queuePair), true, config, options, deadline);
    }

    /** Tells whether the peer has left; it may leave at any time. */
    boolean peerLeft() {
        return handshake.hasFailed();
    }

    private ConnectionOptions check(ConnectionConfig config) {
        requireOpen();
        if (config.tls() != null) {
            throw new IllegalArgumentException(
                    "the TlsConfig of connections that are accepted is the listener's: give it"
                            + " to listen (ListenerConfig.withTls)");
        }
        Connector.checkPrivateData(config.privateData(), handshake.startup().maxPrivateData());
        Connector.checkRanges(config);
        return ConnectionOptions.parse(config, verbs.options().forConnections());
    }

    private IwarpConnection accept(
            Supplier<IwarpQueuePair> source,
            boolean owned,
            ConnectionConfig config,
            ConnectionOptions options,
            Deadline deadline) {
        answer();
        IwarpQueuePair queuePair = claim(source, owned);
        try {
            Attempt attempt = new Attempt("accept", queuePair, verbs.options().segmentBytes(), options);
            EventLoop loop = verbs.loop();
            loop.execute(() -> handshake.accept(Connector.startup(verbs.options(), config), attempt));
            return new IwarpConnection(verbs, queuePair, owned, attempt.await(loop, handshake, deadline));
        } catch (RuntimeException e) {
            queuePair.driver().abort();
            if (owned) {
                queuePair.close();
            }
            throw e;
        } finally {
            close();
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
                    queuePair.close();
                }
            }
        }
    }

    /** Has it unanswered again. */
    private void takeBack() {
        answered.set(false);
        if (!isOpen()) {
            release(); // which found it answered
        }
    }

    @Override
    public void reject(byte[] privateData) {
        requireOpen();
        Connector.checkPrivateData(privateData, handshake.startup().maxPrivateData());
        answer();
        byte[] copy = privateData.clone();
        Rejection rejection = new Rejection();
        verbs.loop().execute(() -> handshake.reject(copy, rejection));
        try {
            Deadline deadline = new Deadline(System.nanoTime() + verbs.options().handshakeNanos(), false);
            rejection.sent.await(() -> rejection.over, deadline, null);
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
            verbs.loop()
                    .execute(() -> handshake.cancel(
                            new ConnectionException("accept", Reason.CLOSED, "the request was dropped", null)));
        }
    }
}
