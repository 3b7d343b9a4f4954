package org.panamaverbs.memcpy;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.spi.software.SoftwareDevice;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.HostNames;
import org.panamaverbs.spi.support.Known;
import org.panamaverbs.spi.support.Limits;
import org.panamaverbs.spi.support.Ours;

/** An open device. */
final class MemcpyVerbs extends SoftwareDevice {
    static final String PROVIDER = "memcpy";

    static final DeviceInfo INFO = new DeviceInfo(
            "memcpy0",
            DeviceInfo.Transport.OTHER,
            "memory copied within one process",
            "",
            0,
            List.of(new DeviceInfo.Port(1, true, 4096, List.of("127.0.0.1", "::1"))));

    /** What is not listed the device lacks: among others immediate data, invalidation, windows, datagrams, TLS. */
    private static final Capabilities CAPABILITIES = Capabilities.builder()
            .maxQp(Integer.MAX_VALUE) // as many as memory allows
            .maxQpWr(4096)
            .maxSge(4)
            .maxSgeRead(4)
            .maxInlineBytes(64)
            .maxCq(Integer.MAX_VALUE)
            .maxCqe(1 << 16)
            .maxMr(1 << 16)
            .maxMrBytes(Long.MAX_VALUE)
            .maxPd(Integer.MAX_VALUE)
            .maxInitiatorDepth(16)
            .maxResponderResources(16)
            .maxMessageBytes(0xFFFF_FFFFL)
            .maxPrivateData(256)
            .maxAcceptPrivateData(256)
            .maxRejectPrivateData(256)
            .completionVectors(1)
            .queuePairTypes(Set.of(QueuePairType.RC))
            .features(
                    Feature.ATOMICS,
                    Feature.GLOBAL_ATOMICS,
                    Feature.ZERO_BASED,
                    Feature.RELAXED_ORDERING,
                    Feature.READ_SINK_LOCAL_WRITE,
                    Feature.NO_RECEIVER_RETRY)
            .build();

    /** One lock for all devices of the process, which reach each other. */
    static final Object LOCK = new Object();

    MemcpyVerbs(String selection) {
        super(PROVIDER, INFO, CAPABILITIES, selection, LOCK);
    }

    @Override
    public MemcpyDomain protectionDomain() {
        return new MemcpyDomain(this);
    }

    @Override
    public Listener listen(InetSocketAddress address, ListenerConfig config) {
        requireOpen();
        limits().check(config);
        return MemcpyListener.listen(this, HostNames.resolved("listen", address, Deadline.never()), config.backlog());
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return MemcpyAttempt.connect(address, own(queuePair), check(config), deadline, false);
    }

    @Override
    public Connection connect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return Creation.of(
                () -> create(queuePair),
                made -> MemcpyAttempt.connect(address, made, check(config), deadline, true),
                MemcpyQueuePair::close);
    }

    /** Returns {@code config}, unless the device lacks what it asks for. */
    ConnectionConfig check(ConnectionConfig config) {
        Limits.checkPrivateData(config.privateData(), CAPABILITIES.maxPrivateData());
        limits().check(config);
        Known.options(PROVIDER, List.of(), config);
        return config;
    }

    /** Returns {@code queuePair} if it is of this device. */
    MemcpyQueuePair own(QueuePair queuePair) {
        return Ours.of("queue pair", queuePair, MemcpyQueuePair.class, MemcpyQueuePair::device, this);
    }

    /** Creates a queue pair that its connection will own. */
    MemcpyQueuePair create(QueuePairConfig config) {
        return Ours.of("protection domain", config.domain(), MemcpyDomain.class, MemcpyDomain::device, this)
                .queuePair(config);
    }
}
