package org.panamaverbs.api;

import java.util.Optional;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.api.device.QueuePairStatistics;
import org.panamaverbs.api.ext.Ece;
import org.panamaverbs.api.ext.ExtendedSendQueue;
import org.panamaverbs.api.ext.Flow;
import org.panamaverbs.api.ext.FlowRule;
import org.panamaverbs.api.ext.RateLimit;

/**
 * A queue pair, {@code struct ibv_qp}: a send queue and a receive queue. It is created in state INIT, where receives
 * can be posted before {@link Verbs#connect} or {@link ConnectionRequest#accept} connects it.
 *
 * <p>Any thread may call any method. Sends of one thread keep their order; those of several threads are interleaved.
 * Closing a connected queue pair aborts the connection. Closing a queue pair that another thread connects or accepts
 * with ends that attempt, which throws {@link ConnectionException} with reason
 * {@link ConnectionException.Reason#CLOSED}.
 */
public interface QueuePair extends SendQueue, DatagramSendQueue, ExtendedSendQueue, ReceiveQueue, AutoCloseable {
    /**
     * Returns the queue pair number, unique on the open device, as {@link WorkCompletion#qpNumber()} has it
     * ({@code qp_num}).
     */
    int number();

    /** Returns the configuration it was created with; sizes may have been rounded up. */
    QueuePairConfig config();

    /**
     * Returns the state. On a reliable connection it is the state as known to this process, and costs nothing: the last
     * transition, or {@link QueuePairState#ERROR} once an error completion was polled, an asynchronous event reported a
     * failure, or the connection ended. The device may have failed the queue pair since: {@link #query()} asks the
     * device. For other services this asks the device, by a system call.
     */
    QueuePairState state();

    /** Returns the batch of this queue pair, always the same object. */
    Batch batch();

    /**
     * Changes attributes: {@code ibv_modify_qp(3)}. Every provider supports the transition to
     * {@link QueuePairState#ERROR}, which flushes; only ibverbs supports the rest of the state machine.
     *
     * @param attributes the attributes to set; those not named keep their value
     * @throws UnsupportedOperationException if the device does not support the transition, or alternate paths are set
     *     and it has none
     * @throws IllegalArgumentException if a value exceeds the range of its field
     * @throws ResourceException if the device refuses the transition, with the attributes that are missing
     */
    void modify(QueuePairAttributes attributes);

    /** Returns the attributes as the device has them now, including the state: {@code ibv_query_qp(3)}. */
    QueuePairAttributes query();

    /**
     * Returns the vendor options of this queue pair, to be sent to the peer: {@code ibv_query_ece(3)}.
     * {@link Ece#vendorId()} is 0 if there are none.
     *
     * @throws IllegalStateException if the queue pair is closed
     * @throws UnsupportedOperationException if the device does not support enhanced connection establishment
     */
    default Ece queryEce() {
        throw noEce();
    }

    /**
     * Sets the vendor options that both sides support, in state INIT, before the transition to RTR:
     * {@code ibv_set_ece(3)}. Afterwards {@link #queryEce} returns what the device accepted.
     *
     * @param options the common options of both sides
     * @throws IllegalStateException if the queue pair is closed
     * @throws ResourceException if the device refuses the options, or refuses them in this state
     * @throws UnsupportedOperationException if the device does not support enhanced connection establishment
     */
    default void setEce(Ece options) {
        throw noEce();
    }

    private UnsupportedOperationException noEce() {
        return new UnsupportedOperationException("the device of queue pair " + number()
                + " does not support enhanced connection establishment; remedy: use ibverbs on an adapter that does");
    }

    /**
     * Returns whether the bytes of a message are written to memory in order, so that a changed last byte means that all
     * have arrived: {@code ibv_query_qp_data_in_order(3)}. If not, do not poll memory: use a Write with immediate, or a
     * Send behind the Writes. The guide's page {@code ordering} lists what each device guarantees.
     *
     * @param operation the operation that writes to memory of this side
     * @return true if the order is guaranteed, false if not or unknown
     * @throws IllegalStateException if the queue pair is closed
     */
    default boolean isDataInOrder(SendOpcode operation) {
        return false;
    }

    /**
     * Returns the first cause that ended the stream in an error. Only software iWARP reports causes; libibverbs passes
     * no Terminate message on. The cause is set before the first completion that fails or is flushed because of it;
     * {@link WorkCompletion#vendorError()} and the asynchronous event carry the same numbers.
     *
     * @return the cause; empty while the stream works, after an orderly end by either side or by {@link #modify}, and
     *     on other providers
     */
    default Optional<TerminateCause> terminateCause() {
        return Optional.empty();
    }

    /**
     * Returns what the queue pair has counted since its creation, and the fill of its queues. Any thread may call this,
     * also after {@link #close}. The call reads some fields; posting and polling pay nothing for it. The guide's page
     * {@code watching} lists what each provider counts.
     *
     * @throws UnsupportedOperationException if the device lacks
     *     {@link org.panamaverbs.api.device.Capabilities.Feature#STATISTICS}
     */
    default QueuePairStatistics statistics() {
        throw new UnsupportedOperationException("the device of queue pair " + number()
                + " has no counters of queue pairs; remedy: see `verbs devinfo -v` for a provider that has STATISTICS");
    }

    /**
     * Attaches the queue pair to a multicast group without informing the network: {@code ibv_attach_mcast(3)}.
     * {@link Verbs#joinMulticast} does both.
     *
     * @param gid the group's GID, 16 bytes
     * @param lid the group's LID, 16 bits
     * @throws UnsupportedOperationException if the device does not support multicast
     */
    default void attachMulticast(byte[] gid, int lid) {
        throw new UnsupportedOperationException("queue pair " + number()
                + " does not support multicast; remedy: use ibverbs on InfiniBand or RoCE with type UD");
    }

    /**
     * Detaches the queue pair from the multicast group: {@code ibv_detach_mcast(3)}; otherwise as
     * {@link #attachMulticast}.
     */
    default void detachMulticast(byte[] gid, int lid) {
        throw new UnsupportedOperationException("queue pair " + number()
                + " does not support multicast; remedy: use ibverbs on InfiniBand or RoCE with type UD");
    }

    /**
     * Starts receiving the packets that match {@code rule}, until the flow is closed: {@code ibv_create_flow(3)}. For
     * queue pairs of type {@link QueuePairType#RAW_PACKET} and {@link QueuePairType#UD}. Close the flow before the
     * queue pair.
     *
     * @throws UnsupportedOperationException if the device lacks
     *     {@link org.panamaverbs.api.device.Capabilities.Feature#FLOW_STEERING}, or the queue pair is of another type
     * @throws IllegalStateException if the queue pair is closed
     * @throws ResourceException if the device refuses the rule, or the process lacks CAP_NET_RAW
     */
    default Flow flow(FlowRule rule) {
        throw new UnsupportedOperationException("queue pair " + number()
                + " does not support flow steering; remedy: use ibverbs on an Ethernet adapter with FLOW_STEERING,"
                + " type RAW_PACKET or UD");
    }

    /**
     * Limits the rate at which the queue pair sends: {@code ibv_modify_qp_rate_limit(3)}. The queue pair must be in
     * state RTS; other threads may post meanwhile.
     *
     * @throws UnsupportedOperationException if the device lacks
     *     {@link org.panamaverbs.api.device.Capabilities.Feature#PACKET_PACING}
     * @throws IllegalStateException if the queue pair is closed
     * @throws ResourceException if the device refuses the limit for this type or state
     */
    default void limitRate(RateLimit limit) {
        throw new UnsupportedOperationException("the rate of queue pair " + number()
                + " cannot be limited; remedy: use ibverbs on an adapter with PACKET_PACING");
    }

    /**
     * Destroys the queue pair: {@code ibv_destroy_qp(3)}. Outstanding requests are dropped and their completions can no
     * longer be polled; with a {@link SharedReceiveQueue} that includes receives that its messages took.
     */
    @Override
    void close();
}
