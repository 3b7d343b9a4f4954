package org.panamaverbs.api.cm;

import java.net.InetSocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.device.Capabilities;

/**
 * A peer's request to connect. Accept or reject it once; closing it unanswered drops the peer. The peer gives up after
 * its own deadline.
 */
public interface ConnectionRequest extends AutoCloseable {
    /** Returns the peer's address. */
    InetSocketAddress remoteAddress();

    /**
     * Returns the device of the listener that received the request ({@code cm_id->verbs}); the accepting queue pair
     * must be of this device.
     */
    Verbs verbs();

    /** Returns a copy of the peer's private data; empty if there is none. */
    byte[] privateData();

    /**
     * Returns the number of Reads and atomics that the peer wants to have outstanding here (its ORD), -1 if it did not
     * say.
     */
    int peerInitiatorDepth();

    /** Returns the number of Reads and atomics that the peer accepts from here (its IRD), -1 if it did not say. */
    int peerResponderResources();

    /**
     * Returns the TLS session, with the peer's certificates if the listener required and verified them; empty without
     * TLS.
     */
    default Optional<SSLSession> tlsSession() {
        return Optional.empty();
    }

    /**
     * Accepts on {@code queuePair} and waits until the connection is established: {@code rdma_accept(3)}. Post receives
     * first. Invalid arguments leave both the request and the queue pair unchanged.
     *
     * <p>On iWARP the peer must send first (RFC 5044 §7.1.2); requests posted here may wait for that. A peer that
     * connects with {@link ConnectionConfig#withPeerToPeer} sends a ready-to-receive message by itself. If the peer
     * announced that it will not, as Linux siw does, provider {@code iwarp} sends after its option
     * {@code first.fpdu.timeout}, half a second. Otherwise requests that wait longer than {@code progress.timeout} fail
     * with {@link WcStatus#RETRY_EXCEEDED} and cause {@link org.panamaverbs.api.cm.TerminateReason#NO_FIRST_FPDU}.
     *
     * <p>On a kernel's iWARP device, if the attempt is undone while the kernel accepts, the queue pair stays in state
     * INIT until the kernel reports the result, and then fails. Closing the queue pair waits for that.
     *
     * @param queuePair a reliable queue pair of {@link #verbs()} in state INIT
     * @param config the options of the connection
     * @param deadline until when to wait
     * @return the connection, which leaves {@code queuePair} open when closed
     * @throws ConnectionException if the peer is gone or the setup fails; with reason
     *     {@link ConnectionException.Reason#CLOSED} if the queue pair was closed meanwhile
     * @throws DeadlineExceededException if the peer did not follow before the deadline
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait; the interrupt flag stays
     *     set, the attempt was undone, and the queue pair is in the error state. An attempt that ended first decides
     *     the result
     * @throws IllegalArgumentException if {@code config} exceeds the capabilities or has a {@link TlsConfig}, which
     *     belongs to the listener; or if the queue pair is of another device
     * @throws IllegalStateException if the request was answered or closed, or the queue pair is closed, not in state
     *     INIT, or being connected
     * @throws UnsupportedOperationException if the queue pair is of type UC or UD
     */
    Connection accept(QueuePair queuePair, ConnectionConfig config, Deadline deadline);

    /**
     * Accepts on a new queue pair, which the connection owns and closes; otherwise as with a queue pair.
     *
     * @throws ResourceException if the queue pair cannot be created; the request can still be answered
     * @throws UnsupportedOperationException if it would be of type UC or UD; the request can still be answered
     */
    Connection accept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline);

    /**
     * Starts to accept on {@code queuePair} and does not wait for the peer; the request counts as answered. Otherwise
     * as {@link #accept(QueuePair, ConnectionConfig, Deadline)}, whose exceptions before anything is sent apply.
     *
     * @param deadline when the attempt fails by itself
     * @return the attempt: add it to an {@link EventQueue}, await it, or turn it into a future
     * @throws UnsupportedOperationException also if the provider has no event queues
     */
    default PendingConnection beginAccept(QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        throw new UnsupportedOperationException(
                "beginAccept: the provider does not support event queues; remedy: use accept");
    }

    /**
     * Starts to accept on a new queue pair, which the connection owns and closes, and which a failed attempt closes;
     * otherwise as with a queue pair.
     *
     * @throws ResourceException if the queue pair cannot be created; the request can still be answered
     */
    default PendingConnection beginAccept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        throw new UnsupportedOperationException(
                "beginAccept: the provider does not support event queues; remedy: use accept");
    }

    /**
     * Rejects the request without waiting for the peer: {@code rdma_reject(3)}. Not interruptible.
     *
     * @param privateData up to {@link Capabilities#maxRejectPrivateData()} bytes for the peer
     */
    void reject(byte[] privateData);

    /** Drops the peer if the request was not answered. */
    @Override
    void close();
}
