package org.panamaverbs.api;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.panamaverbs.api.ethernet.FlowCounters;
import org.panamaverbs.api.selection.ProviderSelection;
import org.panamaverbs.api.spi.ProviderReport;
import org.panamaverbs.api.statistics.DeviceStatistics;

/**
 * An open RDMA device: the entry to everything else ({@code struct ibv_context} and its event channels).
 *
 * <pre>{@code
 * var deadline = Deadline.in(5, SECONDS);
 * try (var verbs = Verbs.open();
 *         var domain = verbs.protectionDomain();
 *         var buffer = domain.allocate(4096, LOCAL_WRITE);
 *         var queue = verbs.completionQueue(256);
 *         var connection = verbs.connect(address, QueuePairConfig.of(domain, queue), deadline)) {
 *     PostStatus.check(connection.queuePair().send(1, buffer, 0, 512, SIGNALED));
 *     var completions = WorkCompletions.ofCapacity(16);
 *     queue.poll(completions, deadline);
 *     if (!completions.get(0).ok()) {
 *         throw new IllegalStateException(completions.get(0).toString());
 *     }
 *     connection.disconnect(deadline); // close alone would abort
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
     * @throws ProviderUnavailableException also if no provider has a usable device of that name, with what each says
     * @throws IllegalArgumentException if the provider that {@code config} names has no such device, or has no such
     *     option, naming those it has; where {@code config} names no provider, if one refuses it so and no other opens
     */
    static Verbs open(OpenConfig config) {
        return ProviderSelection.open(config, null);
    }

    /**
     * Opens what {@code config} says, with the providers of {@code loader}, too, for threads whose context class loader
     * is not the application's, as those of the common pool; otherwise as {@link #open(OpenConfig)}.
     *
     * @param loader asked after the class loader of this api and before the thread's context class loader; passed over
     *     if it has a copy of its own of this api, as no object of that is one of this
     */
    static Verbs open(OpenConfig config, ClassLoader loader) {
        return ProviderSelection.open(config, Objects.requireNonNull(loader));
    }

    /**
     * Returns every provider found, in the order in which {@code auto} tries them, with its availability. Looked for
     * are services of the class loader of this api, and of the thread's context class loader, where an application
     * server or a framework of plug-ins has them; a provider that both have is there once. A class loader with a copy
     * of its own of this api is passed over.
     */
    static List<ProviderReport> providers() {
        return ProviderSelection.reports(null);
    }

    /** Returns every provider found, with {@code loader}, too, as {@link #open(OpenConfig, ClassLoader)} does. */
    static List<ProviderReport> providers(ClassLoader loader) {
        return ProviderSelection.reports(Objects.requireNonNull(loader));
    }

    /** Returns the provider's name, {@code ibverbs} or {@code iwarp} for ours. */
    String provider();

    /**
     * Returns why this provider was chosen, for people: which others cannot be used here, with reason and remedy, and
     * what the provider says of the device and of how it is reached.
     */
    String selection();

    /** Returns the device. */
    DeviceInfo device();

    /**
     * Returns port {@code number} of the device, to be asked where it is on the fabric.
     *
     * @param number from 1
     * @throws IllegalArgumentException if the device has no such port, naming those that it has
     * @throws IllegalStateException if the device is closed
     */
    default Port port(int number) {
        DeviceInfo device = device();
        device.requirePort(number);
        return new DescribedPort(this, this::device, provider(), number);
    }

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
     * Returns what the device has counted since it was created, by {@code portN.NAME}, as the kernel names it (for
     * example {@code port1.rcvd_pkts}, {@code port1.rcvd_rnr_err}; {@code hw_counters} and {@code counters} in sysfs),
     * and by {@code NAME} what is no port's. One port's are {@link Port#counters}. Read anew by each call; for people
     * and monitoring, not for the data path. Empty where nothing is counted.
     */
    default SortedMap<String, Long> counters() {
        return Collections.emptySortedMap();
    }

    /**
     * Returns what this open device has counted since it was opened: the sums of its queue pairs, and what has none.
     * Any thread. What the hardware counts is in {@link #counters()}.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#STATISTICS}
     */
    default DeviceStatistics statistics() {
        throw new UnsupportedOperationException("device " + device().name() + " of provider " + provider()
                + " counts nothing; remedy: see `verbs devinfo -v` for a provider that has STATISTICS");
    }

    /**
     * Returns the device's clock, in whose ticks completions have their {@link WorkCompletion#timestamp()}.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#RAW_CLOCK}
     */
    default DeviceClock clock() {
        throw lacks(Capabilities.Feature.RAW_CLOCK);
    }

    /** Makes a protection domain ({@code ibv_alloc_pd(3)}). */
    ProtectionDomain protectionDomain();

    /**
     * Makes a thread domain ({@code ibv_alloc_td(3)}).
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#PARENT_DOMAIN}
     */
    default ThreadDomain threadDomain() {
        throw lacks(Capabilities.Feature.PARENT_DOMAIN);
    }

    /**
     * Allocates memory of the device ({@code ibv_alloc_dm(3)}). {@link #attributes()} has how much there is,
     * {@code max_dm_size}; drivers give whole blocks of it.
     *
     * @param bytes at least 1
     * @param logAlignment how its beginning is aligned, as a power of 2: 6 for 64 bytes; 0 if it does not matter
     * @throws IllegalArgumentException if {@code bytes} is not positive, or {@code logAlignment} not from 0 to 31
     * @throws ResourceException if there is not so much left
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#DEVICE_MEMORY}
     */
    default DeviceMemory deviceMemory(long bytes, int logAlignment) {
        throw lacks(Capabilities.Feature.DEVICE_MEMORY);
    }

    /**
     * Makes counters of what comes by flows ({@code ibv_create_counters(3)},
     * {@code ibv_attach_counters_point_flow(3)}), to be named by the rules of {@link QueuePair#flow}.
     *
     * @param kinds what they count, at least one
     * @throws IllegalArgumentException if {@code kinds} is empty
     * @throws ResourceException if the device has no more of them
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#FLOW_COUNTERS}, or counts
     *     nothing of one of the kinds
     */
    default FlowCounters flowCounters(FlowCounters.Kind... kinds) {
        throw lacks(Capabilities.Feature.FLOW_COUNTERS);
    }

    /**
     * Returns what gives objects of this open device to other processes, and takes theirs.
     *
     * @throws UnsupportedOperationException if the provider has no objects of the kernel's
     */
    default ObjectSharing sharing() {
        throw new UnsupportedOperationException(
                "sharing: provider " + provider() + " does not share objects of the kernel; remedy: use ibverbs");
    }

    private UnsupportedOperationException lacks(Capabilities.Feature feature) {
        return new UnsupportedOperationException("device " + device().name() + " lacks " + feature
                + "; remedy: see `verbs devinfo -v` for a provider that has it");
    }

    /** Makes a completion queue for {@code capacity} completions, without channel. */
    default CompletionQueue completionQueue(int capacity) {
        return completionQueue(CompletionQueueConfig.of(capacity));
    }

    /**
     * Adopts a completion queue that a vendor's call created on this device, such as {@code efadv_create_cq} or
     * {@code mlx5dv_create_cq}. It is polled by {@code ibv_poll_cq(3)}, or by {@code ibv_start_poll(3)} if
     * {@code config} has fields. With a channel, its {@code cq_context} becomes the library's.
     *
     * <p>Closing it destroys the native queue if that is the library's ({@link Adoption#owner}). If it is the caller's,
     * completions not polled yet stay there, except those that were already taken off. If adopting fails, the native
     * queue stays the caller's. Any thread.
     *
     * @param adoption the native queue
     * @param config at most the capacity that it has, the channel and fields that it was created with
     * @throws IllegalArgumentException if the native queue is of another device or channel, holds fewer completions or
     *     lacks a field, or is adopted already
     * @throws UnsupportedOperationException if the provider has no native objects
     */
    default CompletionQueue adopt(Adoption adoption, CompletionQueueConfig config) {
        throw new UnsupportedOperationException("device " + device().name() + " of provider " + provider()
                + " has no native completion queues; remedy: adopt vendor objects with the provider ibverbs");
    }

    /**
     * Makes a completion queue ({@code ibv_create_cq(3)}), with fields or flags an extended one
     * ({@code ibv_create_cq_ex(3)}).
     *
     * @throws IllegalArgumentException if the capacity is not between 1 and {@link Capabilities#maxCqe()}
     * @throws UnsupportedOperationException if the device lacks what the fields and flags need, naming it
     */
    CompletionQueue completionQueue(CompletionQueueConfig config);

    /** Makes a completion channel ({@code ibv_create_comp_channel(3)}). */
    CompletionChannel completionChannel();

    /**
     * Connects {@code queuePair}, which is in state INIT. If {@code address} has a name that is not looked up yet, that
     * is done here, within the deadline. The wildcard address, as a listener that is bound to it returns it, is this
     * host's loopback. A link-local address needs no scope if one interface alone can be meant.
     *
     * @throws ConnectionException if the peer cannot be reached, refuses or rejects, with reason and private data; with
     *     reason {@link ConnectionException.Reason#CLOSED} if the queue pair was closed meanwhile
     * @throws ResourceException if the process may not bind the local address, or the system lacks what it needs
     * @throws DeadlineExceededException if it was not connected before the deadline; the attempt was undone and the
     *     queue pair failed
     * @throws WaitInterruptedException if the thread is interrupted, before or while it waits; the interrupt flag stays
     *     set, the attempt was undone and the queue pair failed. An attempt that ended first is its result
     * @throws IllegalArgumentException if {@code config} is beyond what the device can, or the queue pair is not of
     *     this device
     * @throws IllegalStateException if the queue pair is closed, not in state INIT, or being connected
     * @throws UnsupportedOperationException if the queue pair is of type UC or UD, or if {@code config} asks for TLS
     *     and the device has none
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
     * Begins to connect {@code queuePair}, which is in state INIT, and waits for nothing: not for a name to be looked
     * up, nor for the peer. From then on the queue pair is the attempt's, as {@link #connect} would have it.
     *
     * @param deadline of the attempt, which ends by itself then
     * @return the attempt, to be added to an {@link EventQueue}, awaited, or made a future
     * @throws IllegalArgumentException if {@code config} is beyond what the device can, or the queue pair is not of
     *     this device
     * @throws IllegalStateException if the queue pair is closed, not in state INIT, or being connected
     * @throws UnsupportedOperationException if the queue pair is of type UC or UD, if {@code config} asks for TLS and
     *     the device has none, or if the provider always waits
     */
    default PendingConnection beginConnect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        throw noEvents("beginConnect");
    }

    /**
     * Begins to connect a new queue pair, which the connection owns and closes, and which is closed if the attempt
     * fails; otherwise as with a queue pair.
     */
    default PendingConnection beginConnect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        throw noEvents("beginConnect");
    }

    /**
     * Makes an event queue, for the objects of this device, and of others of the provider where it waits for those,
     * too, as ibverbs does.
     *
     * @throws ResourceException if the system has no descriptor for it
     * @throws UnsupportedOperationException if the provider has none
     */
    default EventQueue eventQueue() {
        throw noEvents("eventQueue");
    }

    private UnsupportedOperationException noEvents(String operation) {
        return new UnsupportedOperationException(operation + ": provider " + provider()
                + " does not support event queues; remedy: wait with a thread for each object");
    }

    /**
     * Listens at {@code address}; port 0 lets the system choose. A link-local address needs no scope if one interface
     * alone has it.
     *
     * @throws ConnectionException if the address cannot be bound
     * @throws ResourceException if the process may not bind the port, or lacks descriptors or memory
     * @throws WaitInterruptedException if the thread is interrupted while the name in {@code address} is looked up
     * @throws UnsupportedOperationException if {@code config} asks for TLS and the device has none
     */
    Listener listen(InetSocketAddress address, ListenerConfig config);

    /**
     * Listens for the peers of this device and of {@code others} at one port of a wildcard address. Each request says
     * by {@link ConnectionRequest#verbs()} which device it came through, and is accepted on a queue pair of that one.
     * Peers that come through any other device are rejected. Otherwise as {@link #listen(InetSocketAddress,
     * ListenerConfig)}; the config is checked against this device.
     *
     * <pre>{@code
     * var both = verbs.listen(new InetSocketAddress(7174), ListenerConfig.defaults(), List.of(other));
     * try (var request = both.accept(deadline)) {
     *     var its = request.verbs() == other ? otherConfig : config; // each with the domain and queue of its device
     *     request.accept(its, ConnectionConfig.defaults(), deadline);
     * }
     * }</pre>
     *
     * @param others further devices of the same provider; all have to stay open as long as the listener
     * @throws IllegalArgumentException if there are others and {@code address} is not a wildcard one, or if a device is
     *     named twice or is another provider's
     * @throws UnsupportedOperationException if there are others and the provider has no such listener
     */
    default Listener listen(InetSocketAddress address, ListenerConfig config, List<Verbs> others) {
        if (others.isEmpty()) {
            return listen(address, config);
        }
        throw new UnsupportedOperationException("listen: a listener of provider " + provider()
                + " serves its own device alone; remedy: listen with each device");
    }

    /** Listens at {@code address} with {@link ListenerConfig#defaults()}. */
    default Listener listen(InetSocketAddress address) {
        return listen(address, ListenerConfig.defaults());
    }

    /**
     * Asks {@code address} which queue pair takes datagrams there ({@code rdma_connect(3)} in {@code RDMA_PS_UDP}, a
     * service id resolution). A queue pair in INIT is made ready to send and receive with the key of
     * {@code RDMA_PS_UDP}, one in RTR ready to send; one in RTS is left as it is and may be used for any number of
     * peers.
     *
     * @param queuePair a queue pair of type UD
     * @param config its private data, up to 180 bytes, type of service and local address count
     * @throws ConnectionException if the peer does not answer, nobody listens there, or the peer rejects, with its
     *     private data
     * @throws DeadlineExceededException if there was no answer before the deadline; the queue pair stays ready
     * @throws WaitInterruptedException if the thread is interrupted, before or while it waits; the interrupt flag stays
     *     set, and the queue pair stays ready
     * @throws IllegalArgumentException if the queue pair is not of this device or not of type UD, or the private data
     *     are too long
     * @throws IllegalStateException if the queue pair is closed, or in another state: the message says how it can be
     *     used again then
     * @throws UnsupportedOperationException if the device has no datagrams
     */
    default DatagramPeer connectDatagrams(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        throw noDatagrams("connectDatagrams");
    }

    /**
     * Listens for peers that ask where datagrams go ({@code RDMA_PS_UDP}); port 0 lets the system choose. Its ports are
     * not those of {@link #listen}.
     *
     * @throws ConnectionException if the address cannot be bound
     * @throws UnsupportedOperationException if the device has no datagrams
     */
    default DatagramListener listenDatagrams(InetSocketAddress address, ListenerConfig config) {
        throw noDatagrams("listenDatagrams");
    }

    /**
     * Joins a multicast group and attaches {@code queuePair} to it ({@code rdma_join_multicast(3)},
     * {@code ibv_attach_mcast(3)}). On InfiniBand the subnet manager makes the group, on RoCE the interface tells
     * routers and switches by IGMP. A queue pair in INIT or RTR is made ready, one in RTS goes on; all get the group's
     * key.
     *
     * @param group an IP multicast address; Linux has no IPv6 groups on RoCE v2
     * @param queuePair a queue pair of type UD
     * @throws ConnectionException if the group cannot be joined, with the reason
     * @throws DeadlineExceededException if it was not joined before the deadline
     * @throws WaitInterruptedException if the thread is interrupted, before or while it waits; the interrupt flag stays
     *     set, and the group was not joined
     * @throws IllegalArgumentException if {@code group} is not a multicast address, or the queue pair is not of this
     *     device or not of type UD
     * @throws IllegalStateException if the queue pair is closed, or in another state: the message says how it can be
     *     used again then
     * @throws UnsupportedOperationException if the device has no multicast, or not for such a group
     */
    default MulticastMembership joinMulticast(
            InetAddress group, QueuePair queuePair, MulticastConfig config, Deadline deadline) {
        throw noDatagrams("joinMulticast");
    }

    private UnsupportedOperationException noDatagrams(String operation) {
        return new UnsupportedOperationException(operation + ": device " + device().name() + " of provider "
                + provider() + " does not support datagrams; remedy: use ibverbs on InfiniBand or RoCE");
    }

    /**
     * Waits for an asynchronous event and takes it ({@code ibv_get_async_event(3)}, acknowledged at once). Events wait
     * until they are taken, up to 4,096 of them; those that come while there are so many are dropped, and the detail of
     * the next one says how many.
     *
     * <p>An event names the object that it happened to. What happens to an object that is closed, or that nobody refers
     * to any more though it was not closed, is not told. Events of a queue pair, completion queue or shared receive
     * queue that still wait when it is closed are dropped by the provider iwarp, and handed out by the provider
     * ibverbs: take them before the object is closed.
     *
     * @return the event, empty if the deadline passed
     * @throws IllegalStateException if the device is closed, also while waiting
     * @throws WaitInterruptedException if the thread is interrupted, before or while it waits; the interrupt flag stays
     *     set, and no event is lost
     */
    Optional<AsyncEvent> asyncEvent(Deadline deadline);

    /**
     * Closes the device.
     *
     * @throws IllegalStateException naming what made from it is still open: connections, requests and listeners as
     *     well, none of which it closes itself
     */
    @Override
    void close();
}
