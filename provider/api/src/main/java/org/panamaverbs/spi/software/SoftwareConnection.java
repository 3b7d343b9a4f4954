package org.panamaverbs.spi.software;

import java.net.InetSocketAddress;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.EventWriter;
import org.panamaverbs.spi.support.Readiness;
import org.panamaverbs.spi.support.Waits;
import org.panamaverbs.spi.watch.ConnectionFacts;

/** One end of a connection of a {@link SoftwareQueuePair}. Any thread. */
public final class SoftwareConnection extends ManagedResource implements Connection, EventMember {
    private static final EventWriter WRITER = EventWriter.get();
    private final SoftwareQueuePair queuePair;
    private final Ends ends;
    private final ConnectionConfig here;
    private final ConnectionConfig peer;
    private final boolean ownsQueuePair;

    /**
     * Creates an end of an established connection, and reports it to monitoring.
     *
     * @param operation {@code connect} or {@code accept}
     * @param here the configuration of this side
     * @param peer the configuration of the peer
     * @param ownsQueuePair whether closing the connection closes the queue pair
     */
    public SoftwareConnection(
            String operation,
            SoftwareQueuePair queuePair,
            Ends ends,
            ConnectionConfig here,
            ConnectionConfig peer,
            boolean ownsQueuePair) {
        super("connection of " + queuePair, queuePair.device());
        this.queuePair = queuePair;
        this.ends = ends;
        this.here = here;
        this.peer = peer;
        this.ownsQueuePair = ownsQueuePair;
        ConnectionFacts facts = new ConnectionFacts(
                operation, ends.local(), ends.remote(), carrier(), transport(), responderResources(), initiatorDepth());
        queuePair.watch().connected(facts, System.nanoTime());
    }

    /**
     * The addresses of an end.
     *
     * @param local the local address
     * @param remote the peer's address
     */
    public record Ends(InetSocketAddress local, InetSocketAddress remote) {}

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
        return peer.privateData();
    }

    @Override
    public int responderResources() {
        return here.responderResources();
    }

    @Override
    public int initiatorDepth() {
        return Math.min(here.initiatorDepth(), peer.responderResources());
    }

    @Override
    public int peerInitiatorDepth() {
        return peer.initiatorDepth();
    }

    @Override
    public int peerResponderResources() {
        return peer.responderResources();
    }

    @Override
    public String transport() {
        return device().device().description();
    }

    @Override
    public boolean isConnected() {
        synchronized (device().lock()) {
            return queuePair.isConnected();
        }
    }

    @Override
    public void disconnect(Deadline deadline) {
        // What was posted is done already: there is nothing to wait for.
        synchronized (device().lock()) {
            queuePair.watch().endsHere(queuePair.isConnected());
            queuePair.fail();
        }
    }

    @Override
    public boolean awaitDisconnect(Deadline deadline) {
        try {
            synchronized (device().lock()) {
                return !queuePair.isConnected()
                        || Waits.interruptibly(() -> !queuePair.isConnected(), deadline, device().lock());
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
        WRITER.disconnected(event, this);
        return Taken.LAST;
    }

    @Override
    public Readiness readiness() {
        return queuePair.readiness();
    }

    @Override
    public SoftwareDevice device() {
        return queuePair.device();
    }

    @Override
    protected void destroy() {
        readiness().closed();
        synchronized (device().lock()) {
            queuePair.watch().endsHere(queuePair.isConnected());
            queuePair.fail();
        }
        if (ownsQueuePair) {
            queuePair.close();
        }
    }
}
