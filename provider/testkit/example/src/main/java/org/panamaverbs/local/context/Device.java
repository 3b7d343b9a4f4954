package org.panamaverbs.local.context;

import java.util.List;
import java.util.Set;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.spi.support.Known;
import org.panamaverbs.spi.support.Limits;

/** The one device: its name, what it can do and how much of it. */
public final class Device {
    public static final String PROVIDER = "local";
    public static final String NAME = "local0";
    public static final DeviceInfo INFO = new DeviceInfo(
            NAME,
            DeviceInfo.Transport.OTHER,
            "memory copied within one process",
            "",
            0,
            List.of(new DeviceInfo.Port(1, true, 4096, List.of("127.0.0.1", "::1"))));
    public static final Capabilities CAPABILITIES = Capabilities.builder()
            // Integer.MAX_VALUE: as many as there is memory for.
            .maxQp(Integer.MAX_VALUE)
            .maxQpWr(1 << 14)
            .maxSge(16)
            .maxSgeRead(16)
            .maxInlineBytes(256)
            .maxCq(Integer.MAX_VALUE)
            .maxCqe(1 << 16)
            .maxMr(1 << 16)
            .maxMrBytes(Long.MAX_VALUE)
            .maxPd(Integer.MAX_VALUE)
            .maxSrq(Integer.MAX_VALUE)
            .maxSrqWr(1 << 14)
            .maxInitiatorDepth(128)
            .maxResponderResources(128)
            .maxMessageBytes(0xFFFF_FFFFL)
            .maxPrivateData(256)
            .maxAcceptPrivateData(256)
            .maxRejectPrivateData(256)
            .completionVectors(1)
            .immediateBytes(Long.BYTES)
            .queuePairTypes(Set.of(QueuePairType.RC))
            .features(
                    Feature.SEND_WITH_IMMEDIATE,
                    Feature.WRITE_WITH_IMMEDIATE,
                    Feature.STANDALONE_IMMEDIATE,
                    Feature.ATOMICS,
                    Feature.MASKED_ATOMICS,
                    Feature.GLOBAL_ATOMICS,
                    Feature.SHARED_RECEIVE_QUEUE,
                    Feature.ZERO_BASED,
                    Feature.RELAXED_ORDERING,
                    Feature.READ_SINK_LOCAL_WRITE,
                    Feature.NO_RECEIVER_RETRY,
                    Feature.STATISTICS)
            .build();

    public static final Limits LIMITS = new Limits(CAPABILITIES, NAME);

    private Device() {}

    /** Refuses what the device cannot do for a connection. */
    public static void check(ConnectionConfig config) {
        checkPrivateData(config.privateData());
        LIMITS.check(config);
        Known.options(PROVIDER, List.of(), config);
    }

    /** Refuses what the device cannot do for a connection that is accepted. */
    public static void checkAccepted(ConnectionConfig config) {
        checkPrivateData(config.privateData());
        LIMITS.checkAccepted(config);
        Known.options(PROVIDER, List.of(), config);
    }

    /** Refuses private data that is too long. */
    public static void checkPrivateData(byte[] data) {
        Limits.checkPrivateData(data, CAPABILITIES.maxPrivateData());
    }
}
