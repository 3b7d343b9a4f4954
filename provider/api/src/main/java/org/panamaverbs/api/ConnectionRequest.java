package org.panamaverbs.api;

import java.net.InetSocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * A peer that wants to connect. Answer it once, by accepting or rejecting; closing it unanswered drops the peer. The
 * peer gives up after its own deadline.
 */
public interface ConnectionRequest extends AutoCloseable {
    /** Returns the peer's address. */
    InetSocketAddress remoteAddress();

    /**
     * Returns the device that it came through, one of those that the listener serves ({@code cm_id->verbs}): what it is
     * accepted on is made from that.
     */
    Verbs verbs();

    /** Returns a copy of the peer's private data; empty without. */
    byte[] privateData();

    /** Returns the Reads and Atomics the peer wants to have outstanding here, -1 if it does not say. */
    int peerInitiatorDepth();

    /** Returns the Reads and Atomics the peer can take from here, -1 if it does not say. */
    int peerResponderResources();

    /**
     * Returns the TLS session, in which the peer's certificates are if the listener asked for them and has checked
     * them; empty without TLS.
     */
    default Optional<SSLSession> tlsSession() {
        return Optional.empty();
    }

    /**
     * Accepts on {@code queuePair}, which is reliable and in state INIT; post receives before. If it is not, or if this
     * was answered before, nothing happens to either.
     *
     * <p>On iWARP the peer sends first (RFC 5044 §7.1.2): what is posted here may wait for that. A peer that connects
     * with {@link ConnectionConfig#withPeerToPeer} set sends a ready-to-receive message by itself. To one that has said
     * it will not, as Linux siw, provider {@code iwarp} sends after its option {@code first.fpdu.timeout}, half a
     * second; otherwise requests that wait longer than {@code progress.timeout} fail with
     * {@link WcStatus#RETRY_EXCEEDED}, and {@link org.panamaverbs.api.iwarp.TerminateReason#NO_FIRST_FPDU} is the
     * cause.
     *
     * <p>On a kernel's iWARP device, an attempt that is undone while the kernel accepts fails the queue pair when the
     * kernel has said how that went. Until then the queue pair is in state INIT, and its close waits for that.
     *
     * @throws ConnectionException if the peer is gone or the set-up fails; with reason
     *     {@link ConnectionException.Reason#CLOSED} if the queue pair was closed meanwhile
     * @throws DeadlineExceededException if the peer did not follow before the deadline
     * @throws WaitInterruptedException if the thread is interrupted, before or while it waits; the interrupt flag stays
     *     set, the attempt was undone and the queue pair failed. An attempt that ended first is its result
     * @throws IllegalArgumentException if {@code config} is beyond what the device can or has a {@link TlsConfig},
     *     which is the listener's to give; or the queue pair is not of this device
     * @throws IllegalStateException if the request was answered or closed before, or the queue pair is closed, not in
     *     state INIT, or being connected
     * @throws UnsupportedOperationException if the queue pair is of type UC or UD
     */
    Connection accept(QueuePair queuePair, ConnectionConfig config, Deadline deadline);

    /**
     * Accepts on a new queue pair, which the connection owns and closes; otherwise as with a queue pair.
     *
     * @throws ResourceException if the queue pair cannot be made; the request is there for another
     * @throws UnsupportedOperationException if it is to be of type UC or UD; the request is there for another
     */
    Connection accept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline);

    /**
     * Begins to accept on {@code queuePair} and does not wait for the peer; otherwise as {@link #accept(QueuePair,
     * ConnectionConfig, Deadline)}, what fails before anything is sent included. The request is answered.
     *
     * @param deadline of the attempt, which ends by itself then
     * @return the attempt, to be added to an {@link EventQueue}, awaited, or made a future
     * @throws UnsupportedOperationException also if the provider always waits
     */
    default PendingConnection beginAccept(QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        throw new UnsupportedOperationException(
                "beginAccept: the provider does not support event queues; remedy: use accept");
    }

    /**
     * Begins to accept on a new queue pair, which the connection owns and closes, and which is closed if the attempt
     * fails; otherwise as with a queue pair.
     *
     * @throws ResourceException if the queue pair cannot be made; the request is there for another
     */
    default PendingConnection beginAccept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        throw new UnsupportedOperationException(
                "beginAccept: the provider does not support event queues; remedy: use accept");
    }

    /**
     * Rejects with {@code privateData}, up to {@link Capabilities#maxRejectPrivateData()} bytes. Does not wait for the
     * peer, so that an interrupt does not end it.
     */
    void reject(byte[] privateData);

    /** Drops the peer if the request was not answered. */
    @Override
    void close();
}
