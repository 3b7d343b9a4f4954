package org.panamaverbs.iwarp.engine.cm;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.engine.IwarpProtectionDomain;
import org.panamaverbs.iwarp.engine.IwarpQueuePair;
import org.panamaverbs.iwarp.engine.device.ConnectionOptions;
import org.panamaverbs.iwarp.engine.device.Device;
import org.panamaverbs.iwarp.engine.device.IwarpOption;
import org.panamaverbs.iwarp.engine.device.WaitPoint;
import org.panamaverbs.iwarp.engine.transport.Addresses;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.Limits;

/** A peer's request that was taken from its listener. */
public final class IwarpConnectionRequest extends ManagedResource implements ConnectionRequest {
    private final CmContext cm;
    private final Setup setup;
    private final AtomicBoolean answered;

    IwarpConnectionRequest(CmContext cm, Setup setup) {
        super(
                "connection request of " + Addresses.text(setup.peer()),
                cm.context().owner());
        this.cm = cm;
        this.setup = setup;
        try {
            answered = new AtomicBoolean();
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return setup.peer();
    }

    @Override
    public Verbs verbs() {
        return (Verbs) cm.context().owner(); // it is IwarpVerbs, which this package does not know
    }

    // What the peer said does not change after the request was handed over.

    @Override
    public byte[] privateData() {
        return setup.startup().peerPrivateData();
    }

    @Override
    public int peerInitiatorDepth() {
        return setup.startup().peerOrd();
    }

    @Override
    public int peerResponderResources() {
        return setup.startup().peerIrd();
    }

    @Override
    public Optional<SSLSession> tlsSession() {
        return Optional.ofNullable(setup.tlsSession());
    }

    @Override
    public Connection accept(QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return accept(
                () -> IwarpQueuePair.own(queuePair, cm.context()), false, config, its -> its.connection(deadline));
    }

    @Override
    public Connection accept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return accept(
                () -> IwarpProtectionDomain.create(queuePair, cm.context()),
                true,
                config,
                its -> its.connection(deadline));
    }

    @Override
    public PendingConnection beginAccept(QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return accept(() -> IwarpQueuePair.own(queuePair, cm.context()), false, config, its -> its.until(deadline));
    }

    @Override
    public PendingConnection beginAccept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return accept(
                () -> IwarpProtectionDomain.create(queuePair, cm.context()), true, config, its -> its.until(deadline));
    }

    /** Accepts with the queue pair of {@code source}, and returns what {@code outcome} makes of the attempt. */
    private <T> T accept(
            Supplier<IwarpQueuePair> source, boolean owned, ConnectionConfig config, Function<Attempt, T> outcome) {
        ConnectionOptions options = check(config);
        answer();
        Attempt attempt = attempt(source, owned, options);
        try {
            StartupConfig startup = Connector.startup(cm.context().options(), config);
            attempt.begin(() -> setup, its -> its.accept(startup, config.typeOfService(), attempt));
            return outcome.apply(attempt);
        } catch (Throwable e) {
            try {
                attempt.withdraw(e);
            } finally {
                // The attempt may never have had it, and then the peer waits for an answer that nobody gives.
                setup.drop();
            }
            throw e;
        } finally {
            closeAnswered();
        }
    }

    /** Takes the queue pair; if that fails the request is there for another. */
    private Attempt attempt(Supplier<IwarpQueuePair> source, boolean owned, ConnectionOptions options) {
        Attempt attempt = null;
        try {
            attempt = Attempt.of(cm, "accept", source.get(), owned, remoteAddress(), options);
            return attempt;
        } finally {
            if (attempt == null) {
                takeBack();
            }
        }
    }

    /** Ends the request as if it had never been: nobody has it, and the set-up goes on. */
    void withdraw() {
        abandon();
    }

    /** Tells whether the peer has left; it may leave at any time. */
    public boolean peerLeft() {
        return setup.hasFailed();
    }

    private ConnectionOptions check(ConnectionConfig config) {
        requireOpen();
        for (IwarpOption<?> each : ConnectionOptions.OFFERED) {
            if (config.options().containsKey(each.key())) {
                throw new IllegalArgumentException("option " + each.key()
                        + " of accepted connections belongs to the context; remedy: pass it to Verbs.open");
            }
        }
        Limits.checkPrivateData(config.privateData(), setup.startup().maxPrivateData());
        Device.LIMITS.checkAccepted(config);
        return ConnectionOptions.parse(config, cm.context().options());
    }

    private void closeAnswered() {
        try {
            closeOrLeave();
        } catch (OutOfMemoryError e) {
            // Who accepted has a connection now and must not lose it for this; the device closes the request.
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
        Limits.checkPrivateData(privateData, setup.startup().maxPrivateData());
        answer();
        try {
            byte[] copy = privateData.clone();
            Rejection rejection = new Rejection();
            cm.context().loop().execute(() -> setup.reject(copy, rejection));
            Deadline deadline =
                    new Deadline(System.nanoTime() + cm.context().options().get(IwarpOption.HANDSHAKE_TIMEOUT), false);
            rejection.sent.sleep(() -> rejection.over, deadline);
        } catch (Throwable e) {
            setup.drop();
            throw e;
        } finally {
            close();
        }
    }

    private void answer() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException(resourceName() + " was already answered");
        }
    }

    /** Hears when the rejection is sent; that the peer does not hear it any more is no error. */
    private static final class Rejection implements Setup.Owner {
        private final WaitPoint sent = new WaitPoint();
        private volatile boolean over;

        @Override
        public void ended(Setup setup, @Nullable ConnectionException failure) {
            over = true;
            sent.changed();
        }
    }

    @Override
    protected void release() {
        if (answered.compareAndSet(false, true)) {
            setup.drop();
        }
    }
}
