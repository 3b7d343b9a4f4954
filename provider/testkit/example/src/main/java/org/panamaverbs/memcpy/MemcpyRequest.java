package org.panamaverbs.memcpy;

import java.net.InetSocketAddress;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.software.SoftwareConnection;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.Limits;

/** An attempt to connect, as the listening side sees it. */
final class MemcpyRequest extends ManagedResource implements ConnectionRequest {
    private final MemcpyVerbs device;
    private final MemcpyAttempt attempt;
    private boolean answered;

    MemcpyRequest(MemcpyVerbs device, MemcpyAttempt attempt) {
        super("connection request from " + attempt.source, device);
        this.device = device;
        this.attempt = attempt;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return attempt.source;
    }

    @Override
    public Verbs verbs() {
        return device;
    }

    @Override
    public byte[] privateData() {
        return attempt.config.privateData();
    }

    @Override
    public int peerInitiatorDepth() {
        return attempt.config.initiatorDepth();
    }

    @Override
    public int peerResponderResources() {
        return attempt.config.responderResources();
    }

    @Override
    public Connection accept(QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return accept(device.own(queuePair), config, false);
    }

    @Override
    public Connection accept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return Creation.of(() -> device.create(queuePair), made -> accept(made, config, true), MemcpyQueuePair::close);
    }

    private Connection accept(MemcpyQueuePair queuePair, ConnectionConfig config, boolean ownsQueuePair) {
        device.limits().checkAccepted(device.check(config));
        synchronized (MemcpyVerbs.LOCK) {
            queuePair.requireConnectable();
            answer();
            attempt.accept(queuePair, config);
            SoftwareConnection.Ends ends = new SoftwareConnection.Ends(attempt.target, attempt.source);
            return new SoftwareConnection("accept", queuePair, ends, config, attempt.config, ownsQueuePair);
        }
    }

    @Override
    public void reject(byte[] privateData) {
        Limits.checkPrivateData(privateData, device.capabilities().maxRejectPrivateData());
        synchronized (MemcpyVerbs.LOCK) {
            answer();
            attempt.rejected(privateData);
        }
    }

    private void answer() {
        requireOpen();
        if (answered) {
            throw new IllegalStateException(resourceName() + " was already answered");
        }
        answered = true;
    }

    @Override
    protected void destroy() {
        attempt.dropped(); // unless it was answered
    }
}
