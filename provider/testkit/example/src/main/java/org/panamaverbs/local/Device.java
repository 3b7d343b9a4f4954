package org.panamaverbs.local;

import java.util.List;
import java.util.Set;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.DeviceInfo;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.support.Limits;

/** The one device: its name, what it can do and how much of it. */
final class Device {
    static final String PROVIDER = "local";
    static final String NAME = "local0";
    static final DeviceInfo INFO = new DeviceInfo(
            NAME,
            DeviceInfo.Transport.OTHER,
            "memory copied within one process",
            "",
            0,
            List.of(new DeviceInfo.Port(1, true, 4096, List.of("127.0.0.1", "::1"))));
    static final Capabilities CAPABILITIES = new Capabilities(
            Integer.MAX_VALUE, // maxQp: as many as there is memory for
            1 << 14, // maxQpWr
            16, // maxSge
            16, // maxSgeRead
            256, // maxInlineBytes
            Integer.MAX_VALUE, // maxCq
            1 << 16, // maxCqe
            RegionTable.MAX_REGIONS, // maxMr
            Long.MAX_VALUE, // maxMrBytes
            0, // maxMw
            Integer.MAX_VALUE, // maxPd
            Integer.MAX_VALUE, // maxSrq
            1 << 14, // maxSrqWr
            128, // maxInitiatorDepth
            128, // maxResponderResources
            0xFFFF_FFFFL, // maxMessageBytes
            256, // maxPrivateData
            Long.BYTES, // immediateBytes
            Set.of(QueuePairType.RC),
            Set.of(
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
                    Feature.NO_RECEIVER_RETRY));

    static final Limits LIMITS = new Limits(CAPABILITIES, NAME);

    private Device() {}
}
