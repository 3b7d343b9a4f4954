package org.panamaverbs.api.support;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.QueuePairType;

/**
 * A builder of {@link Capabilities}. It starts without any capability: no objects, types or features. For one thread.
 */
public final class CapabilitiesBuilder {
    private int maxQp;
    private int maxQpWr;
    private int maxSge;
    private int maxSgeRead;
    private int maxInlineBytes;
    private Map<QueuePairType, Integer> inlineBytesByType = Map.of();
    private int maxCq;
    private int maxCqe;
    private int maxMr;
    private long maxMrBytes;
    private int maxMw;
    private int maxPd;
    private int maxSrq;
    private int maxSrqWr;
    private int maxSrqSge;
    private int maxInitiatorDepth;
    private int maxResponderResources;
    private long maxMessageBytes;
    private int maxPrivateData;
    private int maxAcceptPrivateData;
    private int maxRejectPrivateData;
    private int completionVectors;
    private int immediateBytes;
    private Set<QueuePairType> queuePairTypes = Set.of();
    private Set<Feature> features = Set.of();

    /** Creates a builder without any capability. */
    public CapabilitiesBuilder() {}

    /** Returns the capabilities as set. */
    public Capabilities build() {
        return new Capabilities(
                maxQp,
                maxQpWr,
                maxSge,
                maxSgeRead,
                maxInlineBytes,
                inlineBytesByType,
                maxCq,
                maxCqe,
                maxMr,
                maxMrBytes,
                maxMw,
                maxPd,
                maxSrq,
                maxSrqWr,
                maxSrqSge == 0 && maxSrq > 0 ? maxSge : maxSrqSge,
                maxInitiatorDepth,
                maxResponderResources,
                maxMessageBytes,
                maxPrivateData,
                maxAcceptPrivateData,
                maxRejectPrivateData,
                completionVectors,
                immediateBytes,
                queuePairTypes,
                features);
    }

    /** Sets {@link Capabilities#maxQp()}. */
    public CapabilitiesBuilder maxQp(int most) {
        maxQp = most;
        return this;
    }

    /** Sets {@link Capabilities#maxQpWr()}. */
    public CapabilitiesBuilder maxQpWr(int most) {
        maxQpWr = most;
        return this;
    }

    /** Sets {@link Capabilities#maxSge()}. */
    public CapabilitiesBuilder maxSge(int most) {
        maxSge = most;
        return this;
    }

    /** Sets {@link Capabilities#maxSgeRead()}. */
    public CapabilitiesBuilder maxSgeRead(int most) {
        maxSgeRead = most;
        return this;
    }

    /** Sets {@link Capabilities#maxInlineBytes()}. */
    public CapabilitiesBuilder maxInlineBytes(int most) {
        maxInlineBytes = most;
        return this;
    }

    /** Sets {@link Capabilities#inlineBytesByType()}, of the types that differ. */
    public CapabilitiesBuilder inlineBytesByType(Map<QueuePairType, Integer> most) {
        inlineBytesByType = Map.copyOf(most);
        return this;
    }

    /** Sets {@link Capabilities#maxCq()}. */
    public CapabilitiesBuilder maxCq(int most) {
        maxCq = most;
        return this;
    }

    /** Sets {@link Capabilities#maxCqe()}. */
    public CapabilitiesBuilder maxCqe(int most) {
        maxCqe = most;
        return this;
    }

    /** Sets {@link Capabilities#maxMr()}. */
    public CapabilitiesBuilder maxMr(int most) {
        maxMr = most;
        return this;
    }

    /** Sets {@link Capabilities#maxMrBytes()}. */
    public CapabilitiesBuilder maxMrBytes(long most) {
        maxMrBytes = most;
        return this;
    }

    /** Sets {@link Capabilities#maxMw()}. */
    public CapabilitiesBuilder maxMw(int most) {
        maxMw = most;
        return this;
    }

    /** Sets {@link Capabilities#maxPd()}. */
    public CapabilitiesBuilder maxPd(int most) {
        maxPd = most;
        return this;
    }

    /** Sets {@link Capabilities#maxSrq()}. */
    public CapabilitiesBuilder maxSrq(int most) {
        maxSrq = most;
        return this;
    }

    /** Sets {@link Capabilities#maxSrqSge()}, by default {@link Capabilities#maxSge()}. */
    public CapabilitiesBuilder maxSrqSge(int most) {
        maxSrqSge = most;
        return this;
    }

    /** Sets {@link Capabilities#maxSrqWr()}. */
    public CapabilitiesBuilder maxSrqWr(int most) {
        maxSrqWr = most;
        return this;
    }

    /** Sets {@link Capabilities#maxInitiatorDepth()}. */
    public CapabilitiesBuilder maxInitiatorDepth(int most) {
        maxInitiatorDepth = most;
        return this;
    }

    /** Sets {@link Capabilities#maxResponderResources()}. */
    public CapabilitiesBuilder maxResponderResources(int most) {
        maxResponderResources = most;
        return this;
    }

    /** Sets {@link Capabilities#maxMessageBytes()}. */
    public CapabilitiesBuilder maxMessageBytes(long most) {
        maxMessageBytes = most;
        return this;
    }

    /** Sets {@link Capabilities#maxPrivateData()}. */
    public CapabilitiesBuilder maxPrivateData(int most) {
        maxPrivateData = most;
        return this;
    }

    /** Sets {@link Capabilities#completionVectors()}. */
    public CapabilitiesBuilder completionVectors(int count) {
        completionVectors = count;
        return this;
    }

    /** Sets {@link Capabilities#maxAcceptPrivateData()}. */
    public CapabilitiesBuilder maxAcceptPrivateData(int octets) {
        maxAcceptPrivateData = octets;
        return this;
    }

    /** Sets {@link Capabilities#maxRejectPrivateData()}. */
    public CapabilitiesBuilder maxRejectPrivateData(int octets) {
        maxRejectPrivateData = octets;
        return this;
    }

    /** Sets {@link Capabilities#immediateBytes()}. */
    public CapabilitiesBuilder immediateBytes(int octets) {
        immediateBytes = octets;
        return this;
    }

    /** Sets {@link Capabilities#queuePairTypes()}. */
    public CapabilitiesBuilder queuePairTypes(Set<QueuePairType> types) {
        queuePairTypes = Set.copyOf(types);
        return this;
    }

    /** Sets {@link Capabilities#features()}. */
    public CapabilitiesBuilder features(Set<Feature> all) {
        features = Set.copyOf(all);
        return this;
    }

    /** Sets {@link Capabilities#features()}. */
    public CapabilitiesBuilder features(Feature first, Feature... others) {
        return features(EnumSet.of(first, others));
    }
}
