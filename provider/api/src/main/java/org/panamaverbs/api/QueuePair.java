package org.panamaverbs.api;

import java.util.Optional;
import org.panamaverbs.api.ethernet.Flow;
import org.panamaverbs.api.ethernet.FlowRule;
import org.panamaverbs.api.ethernet.RateLimit;
import org.panamaverbs.api.iwarp.TerminateCause;
import org.panamaverbs.api.statistics.QueuePairStatistics;

/**
 * A queue pair: a send queue and a receive queue, {@code struct ibv_qp}. Created in state INIT, where receives can be
 * posted before it is connected by {@link Verbs#connect} or {@link ConnectionRequest#accept}.
 *
 * <p>Sends of several threads are put in some order; each thread's own order is kept. Closing a connected queue pair
 * aborts the connection. Closing one that another thread connects or accepts with ends that attempt, which throws
 * {@link ConnectionException} with reason {@link ConnectionException.Reason#CLOSED}.
 */
public interface QueuePair extends SendQueue, DatagramSendQueue, ExtendedSendQueue, ReceiveQueue, AutoCloseable {
    /** Returns the number of the queue pair, unique in the context; {@link WorkCompletion#qpNumber()}. */
    int number();

    /** Returns what it was created with; sizes may have been rounded up. */
    QueuePairConfig config();

    /**
     * Returns the state of the queue pair. On a reliable connection it is what this process knows and costs nothing:
     * its last transition, or {@link QueuePairState#ERROR} once a completion with an error was polled, an event of the
     * device told of a failure, or the connection ended. The device may have failed the queue pair a moment before:
     * {@link #query()} asks it. The state of other services is asked of the device, by a command.
     */
    QueuePairState state();

    /** Returns the batch of this queue pair, always the same object. */
    Batch batch();

    /**
     * Changes attributes ({@code ibv_modify_qp(3)}). Every provider can go to {@link QueuePairState#ERROR}, which
     * flushes; the rest of the state machine by hand is ibverbs'.
     *
     * @throws UnsupportedOperationException if the device has no such transition by hand, or no alternate paths and
     *     they are set
     * @throws IllegalArgumentException if a number is beyond the range of its field, or of the path's
     * @throws ResourceException if the transition is refused, naming what it lacks
     */
    void modify(QueuePairAttributes attributes);

    /** Asks the device for the attributes of the queue pair now ({@code ibv_query_qp(3)}), its state among them. */
    QueuePairAttributes query();

    /**
     * Returns the vendor's options that the device has for this queue pair ({@code ibv_query_ece(3)}), to be told to
     * the peer; {@link Ece#vendorId()} is 0 where there are none.
     *
     * @throws IllegalStateException if the queue pair is closed
     * @throws UnsupportedOperationException if the device has no such options
     */
    default Ece queryEce() {
        throw noEce();
    }

    /**
     * Sets the options that both sides have ({@code ibv_set_ece(3)}): by hand, in state INIT, before the transition to
     * RTR. Afterwards {@link #queryEce} tells what the device took.
     *
     * @throws IllegalStateException if the queue pair is closed
     * @throws ResourceException if the device refuses them, or in this state
     * @throws UnsupportedOperationException if the device has no such options
     */
    default void setEce(Ece options) {
        throw noEce();
    }

    private UnsupportedOperationException noEce() {
        return new UnsupportedOperationException("the device of queue pair " + number()
                + " does not support enhanced connection establishment; remedy: use ibverbs on an adapter that does");
    }

    /**
     * Returns whether the bytes of a message are written to memory in their order, so that its last byte says that all
     * is there ({@code ibv_query_qp_data_in_order(3)}). False also where the library cannot tell. The guide's page
     * {@code ordering} has what holds on each device.
     *
     * @param operation what writes, at this side
     * @throws IllegalStateException if the queue pair is closed
     */
    default boolean isDataInOrder(SendOpcode operation) {
        return false;
    }

    /**
     * Returns why the stream ended in an error: of iWARP by software only, since libibverbs passes no Terminate on;
     * elsewhere it is always empty. The first cause stays. It is there before the first completion that fails or is
     * flushed because of it, whose {@link WorkCompletion#vendorError()} has its numbers, and it equals what the
     * asynchronous event has. Empty while all is well, and after an end in order, by either side or by {@link #modify}.
     */
    default Optional<TerminateCause> terminateCause() {
        return Optional.empty();
    }

    /**
     * Returns what it has counted since it was created, and how full its queues are. Any thread, also after it is
     * closed; it costs a look at some fields, and posting and polling nothing. The guide's page {@code watching} says
     * what each provider counts.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#STATISTICS}
     */
    default QueuePairStatistics statistics() {
        throw new UnsupportedOperationException("the device of queue pair " + number()
                + " has no counters of queue pairs; remedy: see `verbs devinfo -v` for a provider that has STATISTICS");
    }

    /**
     * Has the queue pair receive what is sent to the multicast group {@code gid}, without telling the network: see
     * {@link Verbs#joinMulticast} for that ({@code ibv_attach_mcast(3)}).
     *
     * @throws UnsupportedOperationException if the device has no multicast
     */
    default void attachMulticast(byte[] gid, int lid) {
        throw new UnsupportedOperationException("queue pair " + number()
                + " does not support multicast; remedy: use ibverbs on InfiniBand or RoCE with type UD");
    }

    /** Leaves the multicast group {@code gid}; as {@link #attachMulticast}. */
    default void detachMulticast(byte[] gid, int lid) {
        throw new UnsupportedOperationException("queue pair " + number()
                + " does not support multicast; remedy: use ibverbs on InfiniBand or RoCE with type UD");
    }

    /**
     * Has the queue pair receive the packets that {@code rule} says, from now on until the flow is closed
     * ({@code ibv_create_flow(3)}). For queue pairs of type {@link QueuePairType#RAW_PACKET} and
     * {@link QueuePairType#UD}; any thread. It must be closed before the queue pair.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#FLOW_STEERING}, or the
     *     queue pair is of another type
     * @throws IllegalStateException if the queue pair is closed
     * @throws ResourceException if the device refuses the rule, or the process lacks the right CAP_NET_RAW
     */
    default Flow flow(FlowRule rule) {
        throw new UnsupportedOperationException("queue pair " + number()
                + " does not support flow steering; remedy: use ibverbs on an Ethernet adapter with FLOW_STEERING,"
                + " type RAW_PACKET or UD");
    }

    /**
     * Has the queue pair send no faster than {@code limit} says ({@code ibv_modify_qp_rate_limit(3)}). In state RTS;
     * any thread, also while others post.
     *
     * @throws UnsupportedOperationException if the device lacks {@link Capabilities.Feature#PACKET_PACING}
     * @throws IllegalStateException if the queue pair is closed
     * @throws ResourceException if the device refuses it, for queue pairs of this type or in this state
     */
    default void limitRate(RateLimit limit) {
        throw new UnsupportedOperationException("the rate of queue pair " + number()
                + " cannot be limited; remedy: use ibverbs on an adapter with PACKET_PACING");
    }

    /** Destroys the queue pair; outstanding work is flushed without completions that can still be polled. */
    @Override
    void close();
}
