package org.panamaverbs.iwarp.engine;

import java.net.InetSocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.TerminateCause;
import org.panamaverbs.memory.ManagedResource;

/** A queue pair that is connected, with what was agreed. */
final class IwarpConnection extends ManagedResource implements Connection {
    private final IwarpQueuePair queuePair;
    private final boolean owned;
    private final Attempt.Established established;

    IwarpConnection(IwarpVerbs verbs, IwarpQueuePair queuePair, boolean owned, Attempt.Established established) {
        super("connection of " + queuePair.resourceName() + " with " + SocketErrors.text(established.remote()), verbs);
        this.queuePair = queuePair;
        this.owned = owned;
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
    public String transport() {
        SSLSession tls = established.tls();
        String mpa = established.negotiated().text();
        return tls == null ? mpa : mpa + ", " + tls.getProtocol() + " " + tls.getCipherSuite();
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
    public Optional<TerminateCause> terminateCause() {
        return queuePair.terminateCause();
    }

    @Override
    public void disconnect(Deadline deadline) {
        requireOpen();
        StreamDriver driver = queuePair.driver();
        driver.disconnect();
        if (!driver.awaitClosed(deadline)) {
            driver.abort();
            throw new DeadlineExceededException("disconnect", resourceName() + " was not down in time; it was aborted");
        }
    }

    @Override
    public boolean awaitDisconnect(Deadline deadline) {
        requireOpen();
        return queuePair.driver().awaitClosed(deadline);
    }

    @Override
    protected void release() {
        queuePair.driver().abort();
        if (owned) {
            queuePair.close();
        }
    }
}
