package org.panamaverbs.api;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.DatagramListener;
import org.panamaverbs.api.cm.DatagramPeer;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.MulticastConfig;
import org.panamaverbs.api.cm.MulticastMembership;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.DeviceAttributes;
import org.panamaverbs.api.device.DeviceClock;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.DeviceStatistics;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.ProviderReport;
import org.panamaverbs.api.ext.Adoption;
import org.panamaverbs.api.ext.DeviceMemory;
import org.panamaverbs.api.ext.FlowCounters;
import org.panamaverbs.api.ext.ObjectSharing;
import org.panamaverbs.api.ext.ThreadDomain;
import org.panamaverbs.spi.selection.ProviderSelection;

/**
 * An open RDMA device, from which all other objects are created: {@code struct ibv_context} with its event channels.
 * Any thread may call any method.
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
     * Opens the best provider on this machine, or the provider named by {@code -Dverbs.provider} or
     * {@code VERBS_PROVIDER}.
     *
     * @throws ProviderUnavailableException if none can be opened, with the reason and the remedy for each provider
     */
    static Verbs open() {
        return open(OpenConfig.fromEnvironment());
    }

    /**
     * Opens the provider and device named by {@code config}; otherwise as {@link #open()}.
     *
     * @throws ProviderUnavailableException also if no provider has a usable device of that name, with the reason for
     *     each
     * @throws IllegalArgumentException if the named provider does not have the device or an option, with those that it
     *     has; if {@code config} names no provider, if one refuses for that reason and no other opens
     */
    static Verbs open(OpenConfig config) {
        return ProviderSelection.open(config, null);
    }

    /**
     * Opens a device with the providers of {@code loader} as well; otherwise as {@link #open(OpenConfig)}. For threads
     * whose context class loader is not the application's, such as those of the common pool.
     *
     * @param loader asked after the class loader of this API and before the thread's context class loader; skipped if
     *     it loads its own copy of this API
     */
    static Verbs open(OpenConfig config, ClassLoader loader) {
        return ProviderSelection.open(config, Objects.requireNonNull(loader));
    }

    /**
     * Returns every provider found and its availability, in the order in which {@code auto} tries them. Providers are
     * services of this API's class loader and of the thread's context class loader; each is listed once. A class loader
     * with its own copy of this API is skipped.
     */
    static List<ProviderReport> providers() {
        return ProviderSelection.reports(null);
    }

    /**
     * Returns every provider found, including those of {@code loader}, as {@link #open(OpenConfig, ClassLoader)} does.
     */
    static List<ProviderReport> providers(ClassLoader loader) {
        return ProviderSelection.reports(Objects.requireNonNull(loader));
    }

    /** Returns the name of the provider, such as {@code ibverbs} or {@code iwarp}. */
    String provider();

    /**
     * Returns why this provider was chosen, for people: the unusable providers with reason and remedy, and how the
     * device is accessed.
     */
    String selection();

    /** Returns the name and identity of the device. */
    DeviceInfo device();

    /**
     * Returns port {@code number} of the device.
     *
     * @param number from 1
     * @throws IllegalArgumentException if the device has no such port, naming its ports
     * @throws IllegalStateException if the device is closed
     */
    default Port port(int number) {
        DeviceInfo device = device();
        device.requirePort(number);
        return new DescribedPort(this, this::device, provider(), number);
    }

    /** Returns the device's limits and features. */
    Capabilities capabilities();

    /**
     * Returns further attributes as the device's library reports them now; empty if there are none.
     *
     * @throws ResourceException if the device cannot be queried
     */
    default DeviceAttributes attributes() {
        return DeviceAttributes.EMPTY;
    }

    /**
     * Returns the device's hardware counters under the kernel's names: {@code portN.NAME} for those of a port,
     * {@code NAME} for others ({@code hw_counters} and {@code counters} in sysfs), for example {@code port1.rcvd_pkts}.
     * {@link Port#counters} has those of one port. Each call reads them anew; for monitoring, not for the data path.
     * Empty if nothing is counted.
     */
    default SortedMap<String, Long> counters() {
        return Collections.emptySortedMap();
    }

    /**
     * Returns what the library has counted since the device was opened: the sums over its queue pairs, and counters of
     * the device. {@link #counters()} has those of the hardware.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#STATISTICS}
     */
    default DeviceStatistics statistics() {
        throw new UnsupportedOperationException("device " + device().name() + " of provider " + provider() + " has no"
                + " counters; remedy: see `verbs devinfo -v` for a provider that has STATISTICS");
    }

    /**
     * Returns the device's clock, whose ticks are the unit of {@link WorkCompletion#timestamp()}.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#RAW_CLOCK}
     */
    default DeviceClock clock() {
        throw lacks(Capabilities.Feature.RAW_CLOCK);
    }

    /** Creates a protection domain: {@code ibv_alloc_pd(3)}. */
    ProtectionDomain protectionDomain();

    /**
     * Creates a thread domain: {@code ibv_alloc_td(3)}.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#PARENT_DOMAIN}
     */
    default ThreadDomain threadDomain() {
        throw lacks(Capabilities.Feature.PARENT_DOMAIN);
    }

    /**
     * Allocates memory of the device: {@code ibv_alloc_dm(3)}. {@link #attributes()} has its size, {@code max_dm_size};
     * drivers allocate whole blocks.
     *
     * @param bytes at least 1
     * @param logAlignment alignment as a power of 2, from 0 for none to 31: 6 for 64 bytes
     * @throws IllegalArgumentException if {@code bytes} is not positive, or {@code logAlignment} is out of range
     * @throws ResourceException if not enough memory is left
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#DEVICE_MEMORY}
     */
    default DeviceMemory deviceMemory(long bytes, int logAlignment) {
        throw lacks(Capabilities.Feature.DEVICE_MEMORY);
    }

    /**
     * Creates counters for flows, to be named by the rules of {@link QueuePair#flow}: {@code ibv_create_counters(3)},
     * {@code ibv_attach_counters_point_flow(3)}.
     *
     * @param kinds what to count, at least one
     * @throws IllegalArgumentException if {@code kinds} is empty
     * @throws ResourceException if the device has no more counters
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#FLOW_COUNTERS}, or does not
     *     count one of the kinds
     */
    default FlowCounters flowCounters(FlowCounters.Kind... kinds) {
        throw lacks(Capabilities.Feature.FLOW_COUNTERS);
    }

    /**
     * Returns the means to share objects of this device with other processes.
     *
     * @throws UnsupportedOperationException if the provider has no kernel objects
     */
    default ObjectSharing sharing() {
        throw new UnsupportedOperationException(
                "sharing: provider " + provider() + " does not share objects of the kernel; remedy: use ibverbs");
    }

    private UnsupportedOperationException lacks(Capabilities.Feature feature) {
        return new UnsupportedOperationException("device " + device().name() + " lacks " + feature
                + "; remedy: see `verbs devinfo -v` for a provider that has it");
    }

    /**
     * Creates a completion queue without a channel, for {@code capacity} completions: {@code ibv_create_cq(3)}.
     *
     * @param capacity from 1 to {@link Capabilities#maxCqe()}
     * @throws IllegalArgumentException if {@code capacity} is out of range
     */
    default CompletionQueue completionQueue(int capacity) {
        return completionQueue(CompletionQueueConfig.of(capacity));
    }

    /**
     * Adopts a completion queue that a vendor's call created on this device, such as {@code efadv_create_cq} or
     * {@code mlx5dv_create_cq}. It is polled by {@code ibv_poll_cq(3)}, or by {@code ibv_start_poll(3)} if
     * {@code config} has fields. With a channel, the library takes over its {@code cq_context}.
     *
     * <p>Closing it destroys the native queue if the library owns it ({@link Adoption#owner}). If the caller owns it,
     * completions not polled yet stay there, except those already taken off. If adopting fails, the native queue stays
     * the caller's.
     *
     * @param adoption the native queue
     * @param config the channel and fields that it was created with, and at most its capacity
     * @throws IllegalArgumentException if the native queue is of another device or channel, holds fewer completions,
     *     lacks a field, or is adopted already
     * @throws UnsupportedOperationException if the provider has no native objects
     */
    default CompletionQueue adopt(Adoption adoption, CompletionQueueConfig config) {
        throw new UnsupportedOperationException("device " + device().name() + " of provider " + provider()
                + " has no native completion queues; remedy: adopt vendor objects with the provider ibverbs");
    }

    /**
     * Creates a completion queue: {@code ibv_create_cq(3)}, or {@code ibv_create_cq_ex(3)} if {@code config} has fields
     * or flags.
     *
     * @throws IllegalArgumentException if the capacity is not from 1 to {@link Capabilities#maxCqe()}
     * @throws UnsupportedOperationException if the device lacks a feature that the fields and flags need, naming it
     */
    CompletionQueue completionQueue(CompletionQueueConfig config);

    /** Creates a completion channel: {@code ibv_create_comp_channel(3)}. */
    CompletionChannel completionChannel();

    /**
     * Connects {@code queuePair} and waits until the connection is established: {@code rdma_resolve_addr(3)},
     * {@code rdma_resolve_route(3)}, {@code rdma_connect(3)}.
     *
     * @param address the peer. An unresolved name is looked up within the deadline; the wildcard address means this
     *     host's loopback; a link-local address needs no scope if only one interface can be meant
     * @param queuePair a queue pair of this device in state INIT
     * @param config the options of the connection
     * @param deadline until when to wait
     * @return the connection, which leaves {@code queuePair} open when closed
     * @throws ConnectionException if the peer cannot be reached, refuses or rejects, with reason and private data; with
     *     reason {@link ConnectionException.Reason#CLOSED} if the queue pair was closed meanwhile
     * @throws ResourceException if the process may not bind the local address, or the system lacks a resource
     * @throws DeadlineExceededException if it was not connected before the deadline; the attempt was undone, and the
     *     queue pair is in the error state
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait; the interrupt flag stays
     *     set, the attempt was undone, and the queue pair is in the error state. An attempt that ended first decides
     *     the result
     * @throws IllegalArgumentException if {@code config} exceeds the capabilities, or the queue pair is of another
     *     device
     * @throws IllegalStateException if the queue pair is closed, not in state INIT, or being connected
     * @throws UnsupportedOperationException if the queue pair is of type UC or UD, or {@code config} asks for TLS and
     *     the device does not support it
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
     * Starts to connect {@code queuePair} without waiting, neither for name resolution nor for the peer. Until the
     * attempt ends, the queue pair belongs to it.
     *
     * @param address the peer, as for {@link #connect}
     * @param queuePair a queue pair of this device in state INIT
     * @param config the options of the connection
     * @param deadline when the attempt fails by itself
     * @return the attempt: add it to an {@link EventQueue}, await it, or turn it into a future
     * @throws IllegalArgumentException if {@code config} exceeds the capabilities, or the queue pair is of another
     *     device
     * @throws IllegalStateException if the queue pair is closed, not in state INIT, or being connected
     * @throws UnsupportedOperationException if the queue pair is of type UC or UD, {@code config} asks for TLS and the
     *     device does not support it, or the provider has no event queues
     */
    default PendingConnection beginConnect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        throw noEvents("beginConnect");
    }

    /**
     * Starts to connect a new queue pair, which the connection owns and closes, and which a failed attempt closes;
     * otherwise as with a queue pair.
     */
    default PendingConnection beginConnect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        throw noEvents("beginConnect");
    }

    /**
     * Creates an event queue for objects of this device, and on ibverbs also for those of other open devices.
     *
     * @throws ResourceException if the system has no file descriptor left
     * @throws UnsupportedOperationException if the provider has no event queues
     */
    default EventQueue eventQueue() {
        throw noEvents("eventQueue");
    }

    private UnsupportedOperationException noEvents(String operation) {
        return new UnsupportedOperationException(operation + ": provider " + provider()
                + " does not support event queues; remedy: wait with a thread for each object");
    }

    /**
     * Listens at {@code address}: {@code rdma_bind_addr(3)}, {@code rdma_listen(3)}.
     *
     * @param address the local address; port 0 lets the system choose; a link-local address needs no scope if only one
     *     interface has it
     * @param config the options of the listener
     * @throws ConnectionException if the address cannot be bound
     * @throws ResourceException if the process may not bind the port, or the system lacks file descriptors or memory
     * @throws WaitInterruptedException if the thread is interrupted during the name resolution of {@code address}
     * @throws UnsupportedOperationException if {@code config} asks for TLS and the device does not support it
     */
    Listener listen(InetSocketAddress address, ListenerConfig config);

    /**
     * Listens for peers of this device and of {@code others} at one port of a wildcard address.
     * {@link ConnectionRequest#verbs()} is the device of a request; accept it on a queue pair of that device. Peers
     * that come through any other device are rejected. Otherwise as {@link #listen(InetSocketAddress, ListenerConfig)};
     * the config is checked against this device.
     *
     * <pre>{@code
     * try (var both = verbs.listen(new InetSocketAddress(7174), ListenerConfig.defaults(), List.of(other));
     *         var request = both.accept(deadline)) {
     *     var its = request.verbs() == other ? otherConfig : config; // domain and queue of the request's device
     *     var connection = request.accept(its, ConnectionConfig.defaults(), deadline); // the caller's to close
     * }
     * }</pre>
     *
     * @param others further devices of the same provider; keep them open as long as the listener
     * @throws IllegalArgumentException if {@code others} is not empty and {@code address} is no wildcard address, or if
     *     a device is named twice or is of another provider
     * @throws UnsupportedOperationException if {@code others} is not empty and the provider has no such listener
     */
    default Listener listen(InetSocketAddress address, ListenerConfig config, List<Verbs> others) {
        if (others.isEmpty()) {
            return listen(address, config);
        }
        throw new UnsupportedOperationException("listen: a listener of provider " + provider()
                + " serves only its own device; remedy: listen with each device");
    }

    /** Listens at {@code address} with {@link ListenerConfig#defaults()}. */
    default Listener listen(InetSocketAddress address) {
        return listen(address, ListenerConfig.defaults());
    }

    /**
     * Asks {@code address} for the queue pair that receives datagrams there: {@code rdma_connect(3)} in
     * {@code RDMA_PS_UDP}, a service ID resolution. A queue pair in INIT becomes ready to receive and send with
     * {@code RDMA_UDP_QKEY}, one in RTR ready to send. One in RTS is unchanged and serves any number of peers.
     *
     * @param address the peer
     * @param queuePair a queue pair of type UD
     * @param config private data of up to 180 bytes, type of service and local address count; the rest is not used
     * @param deadline until when to wait
     * @return the destination to send to
     * @throws ConnectionException if the peer does not answer, nobody listens there, or the peer rejects, with its
     *     private data
     * @throws DeadlineExceededException if no answer came before the deadline; the queue pair stays ready
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait; the interrupt flag stays
     *     set, and the queue pair stays ready
     * @throws IllegalArgumentException if the queue pair is of another device or type, or the private data is too long
     * @throws IllegalStateException if the queue pair is closed or in another state; the message says how to make it
     *     usable
     * @throws UnsupportedOperationException if the device does not support datagrams
     */
    default DatagramPeer connectDatagrams(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        throw noDatagrams("connectDatagrams");
    }

    /**
     * Listens for peers that ask where to send datagrams: {@code RDMA_PS_UDP}, a port space separate from that of
     * {@link #listen}. Port 0 lets the system choose.
     *
     * @throws ConnectionException if the address cannot be bound
     * @throws UnsupportedOperationException if the device does not support datagrams
     */
    default DatagramListener listenDatagrams(InetSocketAddress address, ListenerConfig config) {
        throw noDatagrams("listenDatagrams");
    }

    /**
     * Joins a multicast group and attaches {@code queuePair} to it: {@code rdma_join_multicast(3)},
     * {@code ibv_attach_mcast(3)}. On InfiniBand the subnet manager creates the group, on RoCE the interface announces
     * it by IGMP. A queue pair in INIT or RTR becomes ready to send, one in RTS stays so; all get the group's Q_Key.
     *
     * @param group an IP multicast address; Linux has no IPv6 groups on RoCE v2
     * @param queuePair a queue pair of type UD
     * @param config the options of the membership
     * @param deadline until when to wait
     * @throws ConnectionException if the group cannot be joined, with the reason
     * @throws DeadlineExceededException if it was not joined before the deadline
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait; the interrupt flag stays
     *     set, and the group was not joined
     * @throws IllegalArgumentException if {@code group} is no multicast address, or the queue pair is of another device
     *     or type
     * @throws IllegalStateException if the queue pair is closed or in another state; the message says how to make it
     *     usable
     * @throws UnsupportedOperationException if the device does not support multicast, or such a group
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
     * Waits until there is an asynchronous event and takes it: {@code ibv_get_async_event(3)}, acknowledged at once. Up
     * to 4,096 events are queued; further ones are dropped, and the detail of the next event says how many.
     *
     * <p>An event names the object that it concerns. Events of closed or unreachable objects are not reported. Queued
     * events of a queue pair, completion queue or shared receive queue that is closed are dropped by iwarp and
     * delivered by ibverbs: take them before closing the object.
     *
     * @param deadline until when to wait
     * @return the event, empty if the deadline passed
     * @throws IllegalStateException if the device is closed, also during the wait
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait; the interrupt flag stays
     *     set, and no event is lost
     */
    Optional<AsyncEvent> asyncEvent(Deadline deadline);

    /**
     * Closes the device.
     *
     * @throws IllegalStateException if objects of the device are still open, naming them; connections, requests and
     *     listeners included
     */
    @Override
    void close();
}
