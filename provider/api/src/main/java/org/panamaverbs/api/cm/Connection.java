package org.panamaverbs.api.cm;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSession;
import org.panamaverbs.api.Carrier;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WcStatus;

/** A connected queue pair, {@code struct rdma_cm_id} after it is established. Any thread may call any method. */
public interface Connection extends AutoCloseable {
    /** Returns the queue pair. */
    QueuePair queuePair();

    /** Returns the local address. */
    InetSocketAddress localAddress();

    /** Returns the peer's address. */
    InetSocketAddress remoteAddress();

    /** Returns a copy of the private data in the peer's request or reply; empty if there was none. */
    byte[] privateData();

    /**
     * Returns how many Reads and atomics the peer may have outstanding here, as negotiated (IRD;
     * {@code responder_resources}).
     */
    int responderResources();

    /**
     * Returns how many Reads and atomics this side may have outstanding, as negotiated (ORD; {@code initiator_depth}).
     */
    int initiatorDepth();

    /**
     * Returns the ORD in the peer's message, before negotiation (RFC 6581 §9.1); -1 if the peer sent none or the
     * provider does not know it.
     */
    default int peerInitiatorDepth() {
        return -1;
    }

    /**
     * Returns the IRD in the peer's message, before negotiation (RFC 6581 §9.1); -1 if the peer sent none or the
     * provider does not know it.
     */
    default int peerResponderResources() {
        return -1;
    }

    /** Returns what carries the connection: the device unless the provider reports otherwise. */
    default Carrier carrier() {
        return Carrier.DEVICE;
    }

    /**
     * Returns the negotiated options, for people, such as {@code MPA rev 2, CRC32C, no markers, RTR Write}. On iwarp it
     * also reports a fallback to {@code java.nio}, with the flag that enables system calls.
     */
    String transport();

    /** Returns the TLS session with the peer's certificates, cipher suite and protocol; empty without TLS. */
    default Optional<SSLSession> tlsSession() {
        return Optional.empty();
    }

    /**
     * Returns whether both directions are open, as known to this process; false once a flushed request was polled.
     * Costs nothing: it reflects polled completions, asynchronous events and messages of the connection manager only. A
     * queue pair without outstanding requests gets no completion when the connection ends: a loop that waits for the
     * peer's memory asks this, or adds the connection to an {@link EventQueue}.
     */
    boolean isConnected();

    /** Returns why the stream ended in an error: {@link QueuePair#terminateCause()}. */
    default Optional<TerminateCause> terminateCause() {
        return queuePair().terminateCause();
    }

    /**
     * Disconnects gracefully: {@code rdma_disconnect(3)}. Posted requests are sent, outstanding Reads are awaited, then
     * the stream is closed and receives are flushed.
     *
     * <p>If the call returns, every request has completed with success, and its data has arrived at the peer's adapter
     * or TCP; whether the peer's application has read it, only the application can say. If that is unknown, the call
     * throws, also if the connection had failed or was aborted before, and on every further call. Exceptions to these
     * rules:
     *
     * <ul>
     *   <li>If the peer disconnects first, Reads that it did not answer, and requests behind them, complete with
     *       {@link WcStatus#WR_FLUSH_ERROR}; no exception reports it.
     *   <li>On a kernel's iWARP device, and over NIO sockets if the peer disconnects first or at the same time, data
     *       that TCP still holds may be lost unnoticed.
     * </ul>
     *
     * <p>A virtual thread leaves its carrier or naps while it waits.
     *
     * @param deadline until when the peer may receive the posted data and disconnect as well
     * @throws DeadlineExceededException if that took longer; the connection was aborted, and posted data may not have
     *     arrived, even if its request completed with success
     * @throws ConnectionException with {@link ConnectionException.Reason#RESET} if the connection failed, before or
     *     meanwhile, with {@link ConnectionException.Reason#CLOSED} if this side aborted it; posted data may not have
     *     arrived, even if its request completed with success
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait; the interrupt flag stays
     *     set. The connection is not aborted, but may be disconnecting: call this again to wait for that, or
     *     {@link #close}
     */
    void disconnect(Deadline deadline);

    /**
     * Starts {@link #disconnect} on a new virtual thread and does not wait. An {@link EventQueue} that the connection
     * was added to reports that the connection is down; only this future reports whether posted data has arrived.
     *
     * @param deadline as for {@link #disconnect}
     * @return a future that completes when {@code disconnect} would return, or fails with what it would throw.
     *     Cancelling it has no effect; {@link #close} aborts. Dependents run on the virtual thread and may block
     */
    default CompletableFuture<Void> beginDisconnect(Deadline deadline) {
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                disconnect(deadline);
                outcome.complete(null);
            } catch (RuntimeException | Error e) {
                outcome.completeExceptionally(e);
            }
        });
        return outcome;
    }

    /**
     * Waits until the connection is down, by either side.
     *
     * @param deadline until when to wait
     * @return true if it is down, false if the deadline passed
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait and the connection is up;
     *     the interrupt flag stays set, and the connection is unchanged
     */
    boolean awaitDisconnect(Deadline deadline);

    /**
     * Aborts the connection if it is up, and closes the queue pair if the connection owns it. Posted data may not
     * arrive, even if its request completed with success: {@link #disconnect} first if it matters.
     */
    @Override
    void close();
}
