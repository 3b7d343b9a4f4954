package org.panamaverbs.local.connect;

import java.net.InetSocketAddress;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.local.context.Device;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.objects.LocalQueuePair;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.software.SoftwareConnection;
import org.panamaverbs.spi.software.SoftwareDevice;
import org.panamaverbs.spi.support.Creation;

/** An attempt to connect, as the side that listens has it. */
final class LocalConnectionRequest extends ManagedResource implements ConnectionRequest {
    private final SoftwareDevice device;
    private final QueuePairs queuePairs;
    private final Attempt attempt;
    private boolean answered;

    LocalConnectionRequest(SoftwareDevice device, Attempt attempt) {
        super("connection request from " + attempt.source(), device);
        this.device = device;
        this.queuePairs = new QueuePairs(device);
        this.attempt = attempt;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return attempt.source();
    }

    @Override
    public Verbs verbs() {
        return (Verbs) device; // it is LocalVerbs, which this package does not know
    }

    @Override
    public byte[] privateData() {
        return attempt.asked.privateData();
    }

    @Override
    public int peerInitiatorDepth() {
        return attempt.asked.initiatorDepth();
    }

    @Override
    public int peerResponderResources() {
        return attempt.asked.responderResources();
    }

    @Override
    public Connection accept(QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return accept(queuePairs.own(queuePair), config, false);
    }

    @Override
    public Connection accept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return queuePairs.withNew(queuePair, made -> accept(made, config, true));
    }

    @Override
    public PendingConnection beginAccept(QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return begin(queuePairs.own(queuePair), config, false);
    }

    @Override
    public PendingConnection beginAccept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return queuePairs.withNew(queuePair, made -> begin(made, config, true));
    }

    /** Accepts at once: there is nobody to wait for. */
    private PendingConnection begin(LocalQueuePair queuePair, ConnectionConfig config, boolean ownsQueuePair) {
        LocalPending pending = new LocalPending("accept", queuePair, ownsQueuePair, late -> {});
        boolean begun = false;
        try {
            Connection made = accept(queuePair, config, ownsQueuePair);
            pending.endedWith(() -> made);
            begun = true;
        } catch (ConnectionException e) {
            pending.endedWith(() -> {
                throw e;
            });
            begun = true;
        } finally {
            if (!begun) {
                pending.withdraw();
            }
        }
        return pending;
    }

    private Connection accept(LocalQueuePair queuePair, ConnectionConfig config, boolean ownsQueuePair) {
        Device.checkAccepted(config);
        synchronized (Fabric.LOCK) {
            requireUnanswered();
            queuePair.requireConnectable();
            attempt.requireWaiting();
            answered = true;
            queuePair.watch().begins(remoteAddress());
            return Creation.of(
                    () -> attempt.accept(queuePair, config),
                    connected -> new SoftwareConnection(
                            "accept",
                            connected,
                            new SoftwareConnection.Ends(attempt.target(), attempt.source()),
                            config,
                            attempt.asked,
                            ownsQueuePair),
                    LocalQueuePair::fail);
        }
    }

    private void requireUnanswered() {
        requireOpen();
        if (answered) {
            throw new IllegalStateException(resourceName() + " was already answered");
        }
    }

    @Override
    public void reject(byte[] privateData) {
        Device.checkPrivateData(privateData);
        byte[] data = privateData.clone();
        synchronized (Fabric.LOCK) {
            requireUnanswered();
            answered = true;
            attempt.fail(Attempt.rejected(attempt.target(), data));
        }
    }

    @Override
    protected void destroy() {
        synchronized (Fabric.LOCK) {
            attempt.fail(Attempt.dropped(attempt.target()));
        }
    }
}
