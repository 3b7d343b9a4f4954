package org.panamaverbs.api;

import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.panamaverbs.api.spi.ProviderReport;

/**
 * An open RDMA device: the entry to everything else ({@code struct ibv_context} and its event channels).
 *
 * <pre>{@code
 * try (var verbs = Verbs.open();
 *         var domain = verbs.protectionDomain();
 *         var buffer = domain.allocate(4096, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE);
 *         var queue = verbs.completionQueue(256);
 *         var connection = verbs.connect(address, QueuePairConfig.of(domain, queue), ConnectionConfig.defaults(), in(5, SECONDS))) {
 *     connection.queuePair().send(1, buffer, 0, 512, SIGNALED);
 *     queue.poll(completions, in(5, SECONDS));
 *     connection.disconnect(in(5, SECONDS));
 * }
 * }</pre>
 */
public interface Verbs extends AutoCloseable {
    /**
     * Opens the best provider on this machine, or the one that {@code -Dverbs.provider} or {@code VERBS_PROVIDER}
     * names.
     *
     * @throws ProviderUnavailableException if it cannot be opened, with the reason and the remedy of each provider
     */
    static Verbs open() {
        return open(OpenConfig.fromEnvironment());
    }

    /**
     * Opens what {@code config} says; otherwise as {@link #open()}.
     *
     * @throws IllegalArgumentException if the provider has no such device or option, naming those it has
     */
    static Verbs open(OpenConfig config) {
        return ProviderSelection.open(config);
    }

    /** Returns every provider found, in the order in which {@code auto} tries them, with its availability. */
    static List<ProviderReport> providers() {
        return ProviderSelection.reports();
    }

    /** Returns the provider's name, {@code ibverbs} or {@code iwarp} for ours. */
    String provider();

    /** Returns why this provider was chosen, for people. */
    String selection();

    /** Returns the device. */
    DeviceInfo device();

    /** Returns what the device can do. */
    Capabilities capabilities();

    /**
     * Returns what the device's own library says of it beyond {@link #capabilities()}, as it is now; empty where there
     * is nothing more to say.
     *
     * @throws ResourceException if the device cannot be asked
     */
    default DeviceAttributes attributes() {
        return DeviceAttributes.EMPTY;
    }

    /**
     * Returns what the device has counted since it was made, by {@code portN.NAME}, as the kernel names it (for example
     * {@code port1.rcvd_pkts}, {@code port1.rcvd_rnr_err}; {@code hw_counters} and {@code counters} in sysfs). Read
     * anew by each call; for people and monitoring, not for the data path. Empty where nothing is counted.
     */
    default SortedMap<String, Long> counters() {
        return Collections.emptySortedMap();
    }

    /** Makes a protection domain ({@code ibv_alloc_pd(3)}). */
    ProtectionDomain protectionDomain();

    /** Makes a completion queue for {@code capacity} completions, without channel. */
    default CompletionQueue completionQueue(int capacity) {
        return completionQueue(CompletionQueueConfig.of(capacity));
    }

    /**
     * Makes a completion queue ({@code ibv_create_cq(3)}).
     *
     * @throws IllegalArgumentException if the capacity is not between 1 and {@link Capabilities#maxCqe()}
     */
    CompletionQueue completionQueue(CompletionQueueConfig config);

    /** Makes a completion channel ({@code ibv_create_comp_channel(3)}). */
    CompletionChannel completionChannel();

    /**
     * Connects {@code queuePair}, which is in state INIT.
     *
     * @throws ConnectionException if the peer cannot be reached, refuses or rejects, with reason and private data
     * @throws DeadlineExceededException if it was not connected in time; the attempt was undone and the queue pair
     *     failed
     */
    Connection connect(InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline);

    /** Connects a new queue pair, which the connection owns and closes; otherwise as with a queue pair. */
    Connection connect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline);

    /** Connects a new queue pair with {@link ConnectionConfig#defaults()}. */
    default Connection connect(InetSocketAddress address, QueuePairConfig queuePair, Deadline deadline) {
        return connect(address, queuePair, ConnectionConfig.defaults(), deadline);
    }

    /**
     * Listens at {@code address}; port 0 lets the system choose.
     *
     * @throws ConnectionException if the address cannot be bound
     */
    Listener listen(InetSocketAddress address, ListenerConfig config);

    /** Listens at {@code address} with {@link ListenerConfig#defaults()}. */
    default Listener listen(InetSocketAddress address) {
        return listen(address, ListenerConfig.defaults());
    }

    /**
     * Waits for an asynchronous event and takes it ({@code ibv_get_async_event(3)}, acknowledged at once).
     *
     * @return the event, empty if the deadline passed
     */
    Optional<AsyncEvent> asyncEvent(Deadline deadline);

    /**
     * Closes the device.
     *
     * @throws IllegalStateException naming what made from it is still open
     */
    @Override
    void close();
}
