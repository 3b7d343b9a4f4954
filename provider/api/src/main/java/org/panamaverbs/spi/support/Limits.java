package org.panamaverbs.spi.support;

import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairFlag;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;

/**
 * Checks of requests against a device's capabilities, with one wording: {@code maxSendWr must be 1 to 128 on device
 * mlx5_0, got 129}. Any thread.
 *
 * @param capabilities the device's capabilities
 * @param device its name, for messages
 */
public record Limits(Capabilities capabilities, String device) {
    // infiniband/cm: three bits of the messages of set-up
    private static final int MAX_RETRIES = 7;
    private static final int MAX_TYPE_OF_SERVICE = 255;

    /**
     * Returns {@code value} if it is from {@code least} to {@code most}.
     *
     * @param what the name of the number in the configuration
     * @throws IllegalArgumentException if it is out of range, naming the device and both limits
     */
    public int checked(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    what + " must be " + least + " to " + most + " on device " + device + ", got " + value);
        }
        return value;
    }

    /**
     * Checks that the device has {@code feature}.
     *
     * @throws UnsupportedOperationException if it does not, naming both
     */
    public void require(Feature feature) {
        capabilities.require(feature, device);
    }

    /**
     * Checks that the device has {@code operation}.
     *
     * @throws UnsupportedOperationException if it does not, naming the device and the feature
     */
    public void require(SendOpcode operation) {
        capabilities.require(operation, device);
    }

    /**
     * Checks that the device has memory windows of {@code type}.
     *
     * @throws UnsupportedOperationException if it does not, naming both
     */
    public void require(MemoryWindow.Type type) {
        require(
                switch (type) {
                    case TYPE_1 -> Feature.MEMORY_WINDOW_TYPE_1;
                    case TYPE_2 -> Feature.MEMORY_WINDOW_TYPE_2;
                });
    }

    /**
     * Returns {@code capacity} if a completion queue can have it.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public int completions(int capacity) {
        return checked("capacity", capacity, 1, capabilities.maxCqe());
    }

    /**
     * Checks that a completion queue can be created with {@code config}, except for the owner of the channel.
     *
     * @throws UnsupportedOperationException if the device lacks a field or flag
     * @throws IllegalArgumentException if capacity or completion vector exceed the device
     */
    public void check(CompletionQueueConfig config) {
        completions(config.capacity());
        checked("completionVector", config.completionVector(), 0, Math.max(1, capabilities.completionVectors()) - 1);
        config.require(capabilities, device);
    }

    /**
     * Checks that a queue pair of this type and these sizes can be created, except for the owners of domain and queues.
     *
     * @throws UnsupportedOperationException if the device lacks the type or an operation of the queue pair
     * @throws IllegalArgumentException if a size exceeds the device, or the type does not have an operation
     */
    public void check(QueuePairConfig config) {
        if (!capabilities.queuePairTypes().contains(config.type())) {
            throw new UnsupportedOperationException("device " + device + " has only queue pairs of type "
                    + capabilities.queuePairTypes() + ", not " + config.type());
        }
        checked("maxSendWr", config.maxSendWr(), 1, capabilities.maxQpWr());
        checked("maxRecvWr", config.maxRecvWr(), 0, capabilities.maxQpWr());
        checked("maxSendSge", config.maxSendSge(), 1, capabilities.maxSge());
        checked("maxRecvSge", config.maxRecvSge(), 1, capabilities.maxSge());
        checked("maxInlineBytes", config.maxInlineBytes(), 0, capabilities.maxInlineBytes(config.type()));
        config.sendOps().forEach(this::require);
        for (QueuePairFlag flag : config.flags()) {
            if (!capabilities.has(flag.feature())) {
                throw new UnsupportedOperationException("create " + config.type() + " queue pair on device " + device
                        + " with flag " + flag + ": it lacks " + flag.feature()
                        + "; remedy: leave the flag out, or see `verbs devinfo -v` for a device that has it");
            }
            if (config.type() != flag.type()) {
                throw new IllegalArgumentException("create " + config.type() + " queue pair with flag " + flag
                        + ": only type " + flag.type() + " can have it; remedy: leave it out");
            }
        }
        if (config.port() != 0) {
            require(Feature.OUT_OF_BAND);
        }
        if (!config.sendOps().isEmpty() && config.type() != QueuePairType.RC) {
            throw new IllegalArgumentException(
                    "queue pairs of type " + config.type() + " have no " + config.sendOps() + "; remedy: use type RC");
        }
    }

    /**
     * Checks the rights for paging and flushes, a mask of {@link Access#bit}.
     *
     * @throws UnsupportedOperationException if the device lacks a feature that one needs
     */
    public void checkRights(int rights) {
        if (Access.ON_DEMAND.in(rights)) {
            require(Feature.ON_DEMAND_PAGING);
        }
        if (Access.FLUSH_GLOBAL.in(rights)) {
            require(Feature.FLUSH);
        }
        if (Access.FLUSH_PERSISTENT.in(rights)) {
            require(Feature.FLUSH_PERSISTENT);
        }
    }

    /**
     * Checks that a shared receive queue of these sizes can be created.
     *
     * @throws UnsupportedOperationException if the device has no shared receive queues
     * @throws IllegalArgumentException if a size exceeds the device
     */
    public void check(SharedReceiveQueueConfig config) {
        require(Feature.SHARED_RECEIVE_QUEUE);
        checked("maxWr", config.maxWr(), 1, capabilities.maxSrqWr());
        checked("maxSge", config.maxSge(), 1, capabilities.maxSrqSge());
    }

    /**
     * Returns {@code maxWr} if a shared receive queue can be resized to it.
     *
     * @throws UnsupportedOperationException if the device cannot resize them
     * @throws IllegalArgumentException if it exceeds the device
     */
    public int resized(int maxWr) {
        require(Feature.SRQ_RESIZE);
        return checked("maxWr", maxWr, 1, capabilities.maxSrqWr());
    }

    /**
     * Checks depths, retries and type of service of a connection, also where they have no effect; private data and
     * options are not checked.
     *
     * @throws UnsupportedOperationException if TLS or retransmission times are requested and the device lacks them
     * @throws IllegalArgumentException if a number exceeds the device
     */
    public void check(ConnectionConfig config) {
        if (config.tls() != null) {
            require(Feature.TLS);
        }
        if (!config.retryTimes().equals(RetryTimes.defaults())) {
            require(Feature.RETRY_TIMES);
        }
        checked("responderResources", config.responderResources(), 0, capabilities.maxResponderResources());
        checked("initiatorDepth", config.initiatorDepth(), 0, capabilities.maxInitiatorDepth());
        checked("retryCount", config.retryCount(), 0, MAX_RETRIES);
        checked("rnrRetryCount", config.rnrRetryCount(), 0, MAX_RETRIES);
        checked("typeOfService", config.typeOfService(), 0, MAX_TYPE_OF_SERVICE);
    }

    /**
     * Checks that a request can be accepted with {@code config}: as {@link #check(ConnectionConfig)}, and without TLS,
     * which the listener configures.
     *
     * @throws UnsupportedOperationException if TLS is requested and the device lacks it
     * @throws IllegalArgumentException if TLS is requested and the device has it, or a number exceeds the device
     */
    public void checkAccepted(ConnectionConfig config) {
        check(config);
        if (config.tls() != null) {
            throw new IllegalArgumentException("accepted connections have the TlsConfig of the listener; remedy: pass"
                    + " it to listen (ListenerConfig.withTls)");
        }
    }

    /**
     * Checks that a listener can be created with {@code config}.
     *
     * @throws UnsupportedOperationException if TLS or IPv6 only is requested and the device lacks it
     * @throws IllegalArgumentException if the backlog is not positive
     */
    public void check(ListenerConfig config) {
        if (config.ipv6Only()) {
            require(Feature.IPV6_ONLY);
        }
        if (config.tls() != null) {
            require(Feature.TLS);
        }
        checked("backlog", config.backlog(), 1, Integer.MAX_VALUE);
    }

    /**
     * Checks that {@code privateData} has at most {@code most} bytes.
     *
     * @throws IllegalArgumentException if it is longer
     */
    public static void checkPrivateData(byte[] privateData, int most) {
        if (privateData.length > most) {
            throw new IllegalArgumentException(
                    "private data must be 0 to " + most + " bytes here, got " + privateData.length);
        }
    }
}
