package org.panamaverbs.api;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSession;
import org.panamaverbs.api.iwarp.TerminateCause;

/** A connected queue pair, {@code struct rdma_cm_id} after it is established. */
public interface Connection extends AutoCloseable {
    /** Returns the queue pair. */
    QueuePair queuePair();

    /** Returns the local address. */
    InetSocketAddress localAddress();

    /** Returns the peer's address. */
    InetSocketAddress remoteAddress();

    /** Returns a copy of the private data that came with the peer's request or reply; empty without. */
    byte[] privateData();

    /** Returns how many Reads and Atomics the peer may have outstanding here, as negotiated (IRD). */
    int responderResources();

    /** Returns how many Reads and Atomics may be outstanding from here, as negotiated (ORD). */
    int initiatorDepth();

    /**
     * Returns how many Reads and Atomics the peer said it would have outstanding here (its ORD), whatever was made of
     * it then (RFC 6581 §9.1); -1 if it did not say or the provider does not know it.
     */
    default int peerInitiatorDepth() {
        return -1;
    }

    /**
     * Returns how many Reads and Atomics the peer said it could take from here (its IRD), whatever was made of it then
     * (RFC 6581 §9.1); -1 if it did not say or the provider does not know it.
     */
    default int peerResponderResources() {
        return -1;
    }

    /** Returns what carries the connection: the device unless the provider says otherwise. */
    default Carrier carrier() {
        return Carrier.DEVICE;
    }

    /**
     * Returns what else was negotiated, for people: for example {@code MPA rev 2, CRC32C, no markers, RTR Write}; on
     * iwarp also that TCP is reached by {@code java.nio}, where it is, and the flag that is missing for system calls.
     */
    String transport();

    /** Returns the TLS session with the peer's certificates, cipher suite and protocol; empty without TLS. */
    default Optional<SSLSession> tlsSession() {
        return Optional.empty();
    }

    /**
     * Returns whether both directions are still open; false once a request was polled as flushed. Costs nothing: no
     * device is asked. An end that no completion, event of the device or word of the connection manager has told of yet
     * is not known.
     */
    boolean isConnected();

    /** Returns why the stream ended in an error, the same as {@link QueuePair#terminateCause()}. */
    default Optional<TerminateCause> terminateCause() {
        return queuePair().terminateCause();
    }

    /**
     * Disconnects gracefully ({@code rdma_disconnect(3)}): what was posted is sent, outstanding Reads are awaited, then
     * the stream is closed; receives are flushed. If it returns, what has completed with success has arrived at the
     * peer's adapter or TCP; whether the peer's application has seen it, only that can say. If that is not known, it
     * throws, also where the connection had failed or was aborted before the call, and at each further call. All has
     * completed with success, unless the peer disconnected first: Reads that the peer did not answer then, and what had
     * to wait for them, complete with {@link WcStatus#WR_FLUSH_ERROR}, and no exception tells of it. Less is known in
     * two places, where what TCP still holds may be lost without a word: on an iWARP device of the kernel, and over NIO
     * sockets where the peer disconnects first or at the same time.
     *
     * <p>On a virtual thread it leaves its carrier, or naps between looks; {@link #beginDisconnect} has it done.
     *
     * @param deadline how long the peer may take to get what was posted and to follow
     * @throws DeadlineExceededException if it did not get there before the deadline; the connection was aborted, and
     *     what was posted may not have arrived, even where it completed with success
     * @throws ConnectionException with {@link ConnectionException.Reason#RESET} if the connection has failed, before or
     *     meanwhile, with {@link ConnectionException.Reason#CLOSED} if this side has aborted it; what was posted may
     *     not have arrived, even where it completed with success
     * @throws WaitInterruptedException if the thread is interrupted, before or while it waits; the interrupt flag stays
     *     set. The connection is not aborted, but may have been told to end already: call this again to wait for that,
     *     or {@link #close}
     */
    void disconnect(Deadline deadline);

    /**
     * Disconnects as {@link #disconnect} does, and waits for nothing: a virtual thread of its own does. That the
     * connection is down is also an event of an {@link EventQueue} that it was added to; whether what was posted has
     * arrived is told here alone.
     *
     * @param deadline how long the peer may take
     * @return the outcome: completed when {@code disconnect} would return, failed with what it would throw. To cancel
     *     it changes nothing; {@link #close} aborts. Dependents run on a virtual thread, and may wait
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
     * @return true if it is down, false if the deadline passed
     * @throws WaitInterruptedException if the thread is interrupted and it is up, before or while it waits; the
     *     interrupt flag stays set, and the connection as it was
     */
    boolean awaitDisconnect(Deadline deadline);

    /**
     * Aborts the connection if it is up, and closes the queue pair if the connection owns it. What was posted may not
     * arrive, even where it completed with success: {@link #disconnect} first if it matters.
     */
    @Override
    void close();
}
