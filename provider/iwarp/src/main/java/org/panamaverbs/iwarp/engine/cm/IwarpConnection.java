package org.panamaverbs.iwarp.engine.cm;

import java.net.InetSocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.iwarp.core.StreamState;
import org.panamaverbs.iwarp.engine.IwarpQueuePair;
import org.panamaverbs.iwarp.engine.StreamDriver;
import org.panamaverbs.iwarp.engine.transport.Addresses;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.EventWriter;
import org.panamaverbs.spi.support.Readiness;
import org.panamaverbs.spi.support.Waits;

/** A queue pair that is connected, with what was agreed. */
final class IwarpConnection extends ManagedResource implements Connection, EventMember {
    private static final EventWriter WRITER = EventWriter.get();
    private static final String NOT_ARRIVED =
            "; posted data may not have arrived, even if its requests completed successfully";

    private final IwarpQueuePair queuePair;
    private final boolean owned;
    private final ManagedResource device;
    private final Attempt.Established established;

    IwarpConnection(CmContext cm, IwarpQueuePair queuePair, boolean owned, Attempt.Established established) {
        super(
                "connection of " + queuePair.resourceName() + " with " + Addresses.text(established.remote()),
                cm.context().owner());
        this.queuePair = queuePair;
        this.owned = owned;
        device = cm.context().owner();
        this.established = established;
    }

    @Override
    public QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public InetSocketAddress localAddress() {
        return established.local();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return established.remote();
    }

    @Override
    public byte[] privateData() {
        return established.privateData().toByteArray();
    }

    @Override
    public int responderResources() {
        return established.negotiated().ird();
    }

    @Override
    public int initiatorDepth() {
        return established.negotiated().ord();
    }

    @Override
    public int peerInitiatorDepth() {
        return established.negotiated().peerOrd();
    }

    @Override
    public int peerResponderResources() {
        return established.negotiated().peerIrd();
    }

    @Override
    public Carrier carrier() {
        return established.carrier();
    }

    @Override
    public String transport() {
        return queuePair.transport(established.text());
    }

    @Override
    public Optional<SSLSession> tlsSession() {
        return Optional.ofNullable(established.tls());
    }

    @Override
    public boolean isConnected() {
        return queuePair.driver().state().operational();
    }

    @Override
    public void disconnect(Deadline deadline) {
        requireOpen();
        StreamDriver driver = queuePair.driver();
        queuePair.watch().endsHere(driver.state() == StreamState.ESTABLISHED);
        driver.disconnect();
        if (!awaitClosed("disconnect", deadline)) {
            driver.abort();
            throw queuePair
                    .watch()
                    .named(new DeadlineExceededException(
                            "disconnect",
                            resourceName() + " was not down before the deadline and was aborted" + NOT_ARRIVED));
        }
        if (!driver.endedInOrder()) {
            throw queuePair.watch().named(notInOrder(terminateCause().orElse(null)));
        }
    }

    private ConnectionException notInOrder(@Nullable TerminateCause cause) {
        return cause == null
                ? new ConnectionException(
                        "disconnect", Reason.CLOSED, resourceName() + " was aborted by this side" + NOT_ARRIVED, null)
                : new ConnectionException(
                        "disconnect",
                        Reason.RESET,
                        resourceName() + " failed before its end" + NOT_ARRIVED + ": " + cause,
                        new byte[0],
                        cause,
                        null);
    }

    @Override
    public boolean awaitDisconnect(Deadline deadline) {
        requireOpen();
        return awaitClosed("awaitDisconnect", deadline);
    }

    private boolean awaitClosed(String operation, Deadline deadline) {
        try {
            return queuePair.driver().isClosed() || queuePair.driver().awaitClosed(deadline);
        } catch (InterruptedException e) {
            throw Waits.interrupted(operation, "the end of " + resourceName());
        }
    }

    @Override
    public Taken take(Event event) {
        if (!isOpen() || !queuePair.driver().isClosed()) {
            return Taken.NOTHING;
        }
        WRITER.disconnected(event, this);
        return Taken.LAST;
    }

    @Override
    public Readiness readiness() {
        return queuePair.driver().readiness();
    }

    @Override
    public ManagedResource device() {
        return device;
    }

    @Override
    protected void release() {
        readiness().closed();
    }

    // Also where the stream cannot be aborted now its queue pair is closed; the next close tries to abort it again.
    @Override
    protected void destroy() {
        try {
            queuePair.abort();
        } finally {
            if (owned) {
                queuePair.close();
            }
        }
    }
}
