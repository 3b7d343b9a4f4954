package org.panamaverbs.local;

import java.net.InetSocketAddress;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.ListenerConfig;
import org.panamaverbs.api.PendingConnection;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.software.SoftwareDevice;
import org.panamaverbs.local.connect.ConnectionManager;
import org.panamaverbs.local.context.Device;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.objects.LocalDomain;

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
