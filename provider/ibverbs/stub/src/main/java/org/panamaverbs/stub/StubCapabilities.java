package org.panamaverbs.stub;

import java.util.EnumSet;
import java.util.Set;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;

/** The capabilities of the stub's device: more than any test or benchmark asks for. */
public final class StubCapabilities {
    private static final int LIMIT = 16_384;

    private StubCapabilities() {}

    /** Returns the capabilities of a device with {@code features} and with queue pairs of each type. */
    public static Capabilities of(Set<Feature> features) {
        return Capabilities.builder()
                .maxQp(LIMIT)
                .maxQpWr(LIMIT)
                .maxSge(Integer.MAX_VALUE)
                .maxSgeRead(16)
                .maxInlineBytes(Integer.MAX_VALUE)
                .maxCq(LIMIT)
                .maxCqe(LIMIT)
                .maxMr(LIMIT)
                .maxMrBytes(Long.MAX_VALUE)
                .maxMw(LIMIT)
                .maxPd(LIMIT)
                .maxSrq(LIMIT)
                .maxSrqWr(LIMIT)
                .maxInitiatorDepth(128)
                .maxResponderResources(128)
                .maxMessageBytes(1L << 31)
                .maxPrivateData(56)
                .maxAcceptPrivateData(196)
                .maxRejectPrivateData(148)
                .completionVectors(2)
                .immediateBytes(4)
                .queuePairTypes(EnumSet.complementOf(EnumSet.of(QueuePairType.DRIVER)))
                .features(features)
                .build();
    }
}
