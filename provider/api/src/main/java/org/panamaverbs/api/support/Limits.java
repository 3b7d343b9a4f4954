package org.panamaverbs.api.support;

import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ListenerConfig;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.RetryTimes;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.memory.Access;

/**
 * Checks what is asked of a device against what it can, in one wording: {@code maxSendWr must be 1 to 128 on device
 * mlx5_0, got 129}. Any thread.
 *
 * @param capabilities what the device can
 * @param device its name, for the messages
 */
public record Limits(Capabilities capabilities, String device) {
    // infiniband/cm: three bits of the messages of set-up
    private static final int MAX_RETRIES = 7;
    private static final int MAX_TYPE_OF_SERVICE = 255;

    /**
     * Returns {@code value} if it is from {@code least} to {@code most}.
     *
     * @param what the name of the number, as the configuration calls it
     * @throws IllegalArgumentException otherwise, naming the device and both limits
     */
    public int checked(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    what + " must be " + least + " to " + most + " on device " + device + ", got " + value);
        }
        return value;
    }

    /**
     * Does nothing if the device has {@code feature}.
     *
     * @throws UnsupportedOperationException otherwise, naming both
     */
    public void require(Feature feature) {
        capabilities.require(feature, device);
    }

    /**
     * Does nothing if the device has memory windows of {@code type}.
     *
     * @throws UnsupportedOperationException otherwise, naming both
     */
    public void require(MemoryWindow.Type type) {
        require(
                switch (type) {
                    case TYPE_1 -> Feature.MEMORY_WINDOW_TYPE_1;
                    case TYPE_2 -> Feature.MEMORY_WINDOW_TYPE_2;
                });
    }

    /**
     * Returns {@code capacity} if a completion queue of that many completions can be made.
     *
     * @throws IllegalArgumentException otherwise
     */
    public int completions(int capacity) {
        return checked("capacity", capacity, 1, capabilities.maxCqe());
    }

    /**
     * Does nothing if a completion queue can be made with {@code config}. Whose the channel is, is not looked at.
     *
     * @throws UnsupportedOperationException if the device lacks a field or a flag of it
     * @throws IllegalArgumentException if its capacity or its completion vector is beyond what the device has
     */
    public void check(CompletionQueueConfig config) {
        completions(config.capacity());
        checked("completionVector", config.completionVector(), 0, Math.max(1, capabilities.completionVectors()) - 1);
        config.require(capabilities, device);
    }

    /**
     * Does nothing if a queue pair of this type and these sizes can be made. Whose the domain and the queues are is not
     * looked at.
     *
     * @throws UnsupportedOperationException if the device has no queue pairs of the type, or lacks an operation that
     *     the queue pair is to post
     * @throws IllegalArgumentException if a size is beyond what it can, or the type has no such operation
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
        if (!config.sendOps().isEmpty() && config.type() != QueuePairType.RC) {
            throw new IllegalArgumentException(
                    "queue pairs of type " + config.type() + " have no " + config.sendOps() + ": take RC");
        }
    }

    /**
     * Does nothing if memory can be registered with {@code rights}, mask of {@link Access#bit}, as far as paging and
     * flushes go.
     *
     * @throws UnsupportedOperationException if the device lacks what one of them is for
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
     * Does nothing if a shared receive queue of these sizes can be made.
     *
     * @throws UnsupportedOperationException if the device has no shared receive queues
     * @throws IllegalArgumentException if a size is beyond what it can
     */
    public void check(SharedReceiveQueueConfig config) {
        require(Feature.SHARED_RECEIVE_QUEUE);
        checked("maxWr", config.maxWr(), 1, capabilities.maxSrqWr());
        checked("maxSge", config.maxSge(), 1, capabilities.maxSrqSge());
    }

    /**
     * Returns {@code maxWr} if a shared receive queue can be resized to it.
     *
     * @throws UnsupportedOperationException if the device resizes none
     * @throws IllegalArgumentException if it is beyond what the device can
     */
    public int resized(int maxWr) {
        require(Feature.SRQ_RESIZE);
        return checked("maxWr", maxWr, 1, capabilities.maxSrqWr());
    }

    /**
     * Does nothing if a connection with these depths can be asked for, and the retries and the type of service are what
     * they can be anywhere, also where they are of no effect. Private data and options are not looked at.
     *
     * @throws UnsupportedOperationException if TLS or times before something is sent again are asked for and the device
     *     has none
     * @throws IllegalArgumentException if a number is beyond what it can
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
     * Does nothing if a request can be accepted with {@code config}: as {@link #check(ConnectionConfig)}, and TLS is
     * not asked for, which is the listener's to do.
     *
     * @throws UnsupportedOperationException if TLS is asked for and the device has none
     * @throws IllegalArgumentException if TLS is asked for and the device has it, or a number is beyond what it can
     */
    public void checkAccepted(ConnectionConfig config) {
        check(config);
        if (config.tls() != null) {
            throw new IllegalArgumentException("the TlsConfig of connections that are accepted is the listener's: give"
                    + " it to listen (ListenerConfig.withTls)");
        }
    }

    /**
     * Does nothing if a listener can be made with {@code config}.
     *
     * @throws UnsupportedOperationException if TLS or IPv6 alone is demanded and the device has it not
     * @throws IllegalArgumentException if the backlog is not from 1
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
     * Does nothing if {@code privateData} are at most {@code most} bytes: the device's number, or what is left of it
     * here.
     *
     * @throws IllegalArgumentException otherwise
     */
    public static void checkPrivateData(byte[] privateData, int most) {
        if (privateData.length > most) {
            throw new IllegalArgumentException(
                    "private data must be 0 to " + most + " bytes here, got " + privateData.length);
        }
    }
}
