package org.panamaverbs.local;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeviceInfo;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.ListenerConfig;
import org.panamaverbs.api.PendingConnection;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.statistics.DeviceStatistics;
import org.panamaverbs.api.support.MemberEventQueue;
import org.panamaverbs.api.support.Ours;
import org.panamaverbs.local.connect.ConnectionManager;
import org.panamaverbs.local.context.Device;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.context.FabricWait;
import org.panamaverbs.local.context.OpenDevice;
import org.panamaverbs.local.objects.LocalCompletionChannel;
import org.panamaverbs.local.objects.LocalCompletionQueue;
import org.panamaverbs.local.objects.LocalProtectionDomain;

/** An open device; as many as one likes, and each reaches all of the process. */
final class LocalVerbs extends OpenDevice implements Verbs {
    private final String selection;
    private final ConnectionManager connections = new ConnectionManager(this);

    LocalVerbs(String selection) {
        this.selection = selection;
    }

    @Override
    public String provider() {
        return Device.PROVIDER;
    }

    @Override
    public String selection() {
        return selection;
    }

    @Override
    public DeviceInfo device() {
        return Device.INFO;
    }

    @Override
    public Capabilities capabilities() {
        return Device.CAPABILITIES;
    }

    @Override
    public DeviceStatistics statistics() {
        return watch().statistics();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return new LocalProtectionDomain(this);
    }

    @Override
    public CompletionQueue completionQueue(CompletionQueueConfig config) {
        requireOpen();
        Device.LIMITS.check(config);
        LocalCompletionChannel channel = Ours.orNull(
                "completion channel",
                config.channel(),
                LocalCompletionChannel.class,
                LocalCompletionChannel::device,
                this);
        return new LocalCompletionQueue(this, config.capacity(), channel);
    }

    @Override
    public CompletionChannel completionChannel() {
        return new LocalCompletionChannel(this);
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
        return new MemberEventQueue("event queue " + Fabric.nextNumber(), this, events(), new FabricWait());
    }

    @Override
    public Listener listen(InetSocketAddress address, ListenerConfig config) {
        requireOpen();
        return connections.listen(address, config);
    }

    @Override
    public Optional<AsyncEvent> asyncEvent(Deadline deadline) {
        return events().take(deadline);
    }
}
