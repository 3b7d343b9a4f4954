package org.panamaverbs.local.connect;

import java.net.InetSocketAddress;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.support.EventMember;
import org.panamaverbs.api.support.Readiness;
import org.panamaverbs.api.support.Waits;
import org.panamaverbs.api.watch.ConnectionFacts;
import org.panamaverbs.local.context.Device;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.context.OpenDevice;
import org.panamaverbs.local.objects.LocalQueuePair;
import org.panamaverbs.memory.ManagedResource;

/** One end of a connection. */
final class LocalConnection extends ManagedResource implements Connection, EventMember {
    private final LocalQueuePair queuePair;
    private final Ends ends;
    private final byte[] privateData;
    private final Depths depths;
    private final boolean ownsQueuePair;

    /** Creates the connection that {@code operation} has set up, and tells those who watch. */
    LocalConnection(
            String operation,
            LocalQueuePair queuePair,
            Ends ends,
            byte[] privateData,
            Depths depths,
            boolean ownsQueuePair) {
        super("connection of " + queuePair, queuePair.device());
        this.queuePair = queuePair;
        this.ends = ends;
        this.privateData = privateData;
        this.depths = depths;
        this.ownsQueuePair = ownsQueuePair;
        ConnectionFacts facts = new ConnectionFacts(
                operation, ends.local(), ends.remote(), carrier(), transport(), depths.responder(), depths.initiator());
        queuePair.watch().connected(facts, System.nanoTime());
    }

    /** The addresses, as this end has them. */
    record Ends(InetSocketAddress local, InetSocketAddress remote) {}

    @Override
    public QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public InetSocketAddress localAddress() {
        return ends.local();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return ends.remote();
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public int responderResources() {
        return depths.responder();
    }

    @Override
    public int initiatorDepth() {
        return depths.initiator();
    }

    @Override
    public int peerInitiatorDepth() {
        return depths.peerInitiator();
    }

    @Override
    public int peerResponderResources() {
        return depths.peerResponder();
    }

    @Override
    public String transport() {
        return Device.INFO.description();
    }

    @Override
    public boolean isConnected() {
        synchronized (Fabric.LOCK) {
            return queuePair.isConnected();
        }
    }

    @Override
    public void disconnect(Deadline deadline) {
        // What was posted is done already: there is nothing to wait for.
        synchronized (Fabric.LOCK) {
            queuePair.watch().endsHere(queuePair.isConnected());
            queuePair.fail();
        }
    }

    @Override
    public boolean awaitDisconnect(Deadline deadline) {
        try {
            synchronized (Fabric.LOCK) {
                return !queuePair.isConnected() || Fabric.await(() -> !queuePair.isConnected(), deadline);
            }
        } catch (InterruptedException e) {
            throw Waits.interrupted("awaitDisconnect", "the end of " + resourceName());
        }
    }

    @Override
    public Taken take(Event event) {
        if (!isOpen() || isConnected()) {
            return Taken.NOTHING;
        }
        event.disconnected(this);
        return Taken.LAST;
    }

    @Override
    public Readiness readiness() {
        return queuePair.readiness();
    }

    @Override
    public OpenDevice device() {
        return queuePair.device();
    }

    @Override
    protected void destroy() {
        readiness().closed();
        synchronized (Fabric.LOCK) {
            queuePair.watch().endsHere(queuePair.isConnected());
            queuePair.fail();
        }
        if (ownsQueuePair) {
            queuePair.close();
        }
    }
}
