package org.panamaverbs.ibverbs.post;

import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendQueue;

/**
 * The view of a queue pair of type XRC_SEND, or of its batch, for one shared receive queue of the peer.
 *
 * @param target what has its number
 */
public record XrcSends(PostTarget target) implements SendPoster {
    private static final int BITS = 24;

    /**
     * Returns the view of {@code target} for shared receive queue {@code number}.
     *
     * @throws IllegalArgumentException if {@code number} has more than 24 bits
     * @throws IllegalStateException if the queue pair is closed
     * @throws UnsupportedOperationException if it is not of type XRC_SEND
     */
    public static XrcSends of(PostTarget target, int number) {
        NativeQueuePair queuePair = target.queuePair;
        queuePair.requireOpen();
        if (queuePair.config().type() != QueuePairType.XRC_SEND) {
            throw new UnsupportedOperationException(
                    queuePair.resourceName() + " is " + queuePair.config().type()
                            + ": only XRC_SEND sends to a shared receive queue of the peer by number");
        }
        if (number >>> BITS != 0) {
            throw new IllegalArgumentException(
                    "a shared receive queue has a number of 24 bits, got 0x" + Integer.toHexString(number));
        }
        return new XrcSends(new XrcTarget(target instanceof XrcTarget other ? other.beneath() : target, number));
    }

    @Override
    public SendQueue toSharedReceiveQueue(int number) {
        return of(target, number);
    }
}
