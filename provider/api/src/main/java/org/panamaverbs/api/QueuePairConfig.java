package org.panamaverbs.api;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities.Feature;

/**
 * What a queue pair is made with, {@code struct ibv_qp_init_attr}. Start with {@link #of} and change what differs.
 *
 * @param domain the protection domain
 * @param sendQueue where sends complete
 * @param receiveQueue where receives complete
 * @param shared where receives come from, null for the queue pair's own receive queue
 * @param type the service
 * @param maxSendWr outstanding sends, 1 to {@link Capabilities#maxQpWr()}; a send is outstanding until its completion,
 *     or that of a later one, is polled
 * @param maxRecvWr outstanding receives, 0 to {@link Capabilities#maxQpWr()}; ignored with a shared receive queue
 * @param maxSendSge pieces a send, 1 to {@link Capabilities#maxSge()}
 * @param maxRecvSge pieces a receive, 1 to {@link Capabilities#maxSge()}
 * @param maxInlineBytes inline bytes a send, 0 to {@link Capabilities#maxInlineBytes(QueuePairType)}
 * @param signalAll true if every send is signaled whatever its flags
 * @param attachment what its completions give back ({@link WorkCompletion#attachment()}), null for nothing; the
 *     completion queues keep it reachable until the queue pair is closed and what was left of it there is polled. If it
 *     refers to the queue pair, as a connection of the application's does, a queue pair that was lost without being
 *     closed stays reachable as long as its completion queues, and is not reported as a leak
 * @param sendOps what it can post beyond what all queue pairs can, {@link ExtendedSendQueue}: none, or some of
 *     {@link Feature#ATOMIC_WRITE} and {@link Feature#FLUSH}; type {@link QueuePairType#RC}
 */
public record QueuePairConfig(
        ProtectionDomain domain,
        CompletionQueue sendQueue,
        CompletionQueue receiveQueue,
        @Nullable SharedReceiveQueue shared,
        QueuePairType type,
        int maxSendWr,
        int maxRecvWr,
        int maxSendSge,
        int maxRecvSge,
        int maxInlineBytes,
        boolean signalAll,
        @Nullable Object attachment,
        Set<Feature> sendOps) {
    private static final Set<Feature> SEND_OPS = Set.of(Feature.ATOMIC_WRITE, Feature.FLUSH);

    /**
     * Copies the set.
     *
     * @throws IllegalArgumentException if {@code sendOps} has another feature than those two
     */
    public QueuePairConfig {
        sendOps = Set.copyOf(sendOps);
        if (!SEND_OPS.containsAll(sendOps)) {
            throw new IllegalArgumentException(
                    "queue pairs can be created for some of " + SEND_OPS + ", not " + sendOps);
        }
    }

    /**
     * Returns a reliable queue pair of 128 sends and receives with 4 pieces each and 64 inline bytes on one CQ: what
     * every known device with reliable connections has, the least being the 80 inline bytes of Linux siw. Another
     * {@link #withType} may have less: {@link Capabilities#maxInlineBytes(QueuePairType)}.
     */
    public static QueuePairConfig of(ProtectionDomain domain, CompletionQueue queue) {
        return new QueuePairConfig(
                domain, queue, queue, null, QueuePairType.RC, 128, 128, 4, 4, 64, false, null, Set.of());
    }

    /** Returns a copy with receives completing in {@code queue}. */
    public QueuePairConfig withReceiveQueue(CompletionQueue queue) {
        return new QueuePairConfig(
                domain,
                sendQueue,
                queue,
                shared,
                type,
                maxSendWr,
                maxRecvWr,
                maxSendSge,
                maxRecvSge,
                maxInlineBytes,
                signalAll,
                attachment,
                sendOps);
    }

    /** Returns a copy with receives taken from {@code queue}. */
    public QueuePairConfig withShared(SharedReceiveQueue queue) {
        return new QueuePairConfig(
                domain,
                sendQueue,
                receiveQueue,
                queue,
                type,
                maxSendWr,
                maxRecvWr,
                maxSendSge,
                maxRecvSge,
                maxInlineBytes,
                signalAll,
                attachment,
                sendOps);
    }

    /** Returns a copy with another service. */
    public QueuePairConfig withType(QueuePairType newType) {
        return new QueuePairConfig(
                domain,
                sendQueue,
                receiveQueue,
                shared,
                newType,
                maxSendWr,
                maxRecvWr,
                maxSendSge,
                maxRecvSge,
                maxInlineBytes,
                signalAll,
                attachment,
                sendOps);
    }

    /** Returns a copy with room for {@code send} sends and {@code recv} receives. */
    public QueuePairConfig withDepth(int send, int recv) {
        return new QueuePairConfig(
                domain,
                sendQueue,
                receiveQueue,
                shared,
                type,
                send,
                recv,
                maxSendSge,
                maxRecvSge,
                maxInlineBytes,
                signalAll,
                attachment,
                sendOps);
    }

    /** Returns a copy with up to {@code send} pieces a send and {@code recv} a receive. */
    public QueuePairConfig withSge(int send, int recv) {
        return new QueuePairConfig(
                domain,
                sendQueue,
                receiveQueue,
                shared,
                type,
                maxSendWr,
                maxRecvWr,
                send,
                recv,
                maxInlineBytes,
                signalAll,
                attachment,
                sendOps);
    }

    /** Returns a copy with up to {@code bytes} inline bytes. */
    public QueuePairConfig withInline(int bytes) {
        return new QueuePairConfig(
                domain,
                sendQueue,
                receiveQueue,
                shared,
                type,
                maxSendWr,
                maxRecvWr,
                maxSendSge,
                maxRecvSge,
                bytes,
                signalAll,
                attachment,
                sendOps);
    }

    /** Returns a copy with every send signaled, or only those with the flag. */
    public QueuePairConfig withSignalAll(boolean all) {
        return new QueuePairConfig(
                domain,
                sendQueue,
                receiveQueue,
                shared,
                type,
                maxSendWr,
                maxRecvWr,
                maxSendSge,
                maxRecvSge,
                maxInlineBytes,
                all,
                attachment,
                sendOps);
    }

    /** Returns a copy whose completions give back {@code object}, null for nothing. */
    public QueuePairConfig withAttachment(@Nullable Object object) {
        return new QueuePairConfig(
                domain,
                sendQueue,
                receiveQueue,
                shared,
                type,
                maxSendWr,
                maxRecvWr,
                maxSendSge,
                maxRecvSge,
                maxInlineBytes,
                signalAll,
                object,
                sendOps);
    }

    /**
     * Returns a copy that can post {@code operations} as well, {@link ExtendedSendQueue}; the device must have them.
     *
     * @throws IllegalArgumentException if that is not some of {@link Feature#ATOMIC_WRITE} and {@link Feature#FLUSH}
     */
    public QueuePairConfig withSendOps(Feature... operations) {
        return new QueuePairConfig(
                domain,
                sendQueue,
                receiveQueue,
                shared,
                type,
                maxSendWr,
                maxRecvWr,
                maxSendSge,
                maxRecvSge,
                maxInlineBytes,
                signalAll,
                attachment,
                Set.of(operations));
    }
}
