package org.panamaverbs.local;

import java.net.InetSocketAddress;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.local.connect.ConnectionManager;
import org.panamaverbs.local.context.Device;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.objects.LocalDomain;
import org.panamaverbs.spi.software.SoftwareDevice;

/** An open device; as many as one likes, and each reaches all of the process. */
final class LocalVerbs extends SoftwareDevice {
    private final ConnectionManager connections = new ConnectionManager(this);

    LocalVerbs(String selection) {
        super(Device.PROVIDER, Device.INFO, Device.CAPABILITIES, selection, Fabric.LOCK);
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return new LocalDomain(this);
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return connections.connect(address, queuePair, config, deadline);
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return connections.connect(address, queuePair, config, deadline);
    }

    @Override
    public PendingConnection beginConnect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return connections.begin(address, queuePair, config, deadline);
    }

    @Override
    public PendingConnection beginConnect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return connections.begin(address, queuePair, config, deadline);
    }

    @Override
    public EventQueue eventQueue() {
        return newEventQueue();
    }

    @Override
    public Listener listen(InetSocketAddress address, ListenerConfig config) {
        requireOpen();
        return connections.listen(address, config);
    }
}
