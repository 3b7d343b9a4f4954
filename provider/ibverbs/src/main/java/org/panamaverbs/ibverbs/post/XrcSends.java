package org.panamaverbs.ibverbs.post;

import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.ibverbs.memory.IbvMemoryWindow;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.spi.support.WindowBinding;

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
                            + ", and only XRC_SEND sends to a shared receive queue of the peer by number");
        }
        if (number >>> BITS != 0) {
            throw new IllegalArgumentException(
                    "the number of a shared receive queue has 24 bits, got 0x" + Integer.toHexString(number));
        }
        return new XrcSends(new Numbered(target instanceof Numbered other ? other.beneath() : target, number));
    }

    @Override
    public SendQueue toSharedReceiveQueue(int number) {
        return of(target, number);
    }

    /**
     * A target of a queue pair of type XRC_SEND whose requests are for one shared receive queue of the peer: each gets
     * its number when it is written, and is handed over or kept as {@code beneath} does it.
     */
    private static final class Numbered extends PostTarget {
        private final PostTarget beneath;
        private final int number;

        Numbered(PostTarget beneath, int number) {
            super(beneath.queuePair, beneath.requests, beneath.entered, false);
            this.beneath = beneath;
            this.number = number;
        }

        /** Returns the target that the requests go to without a number. */
        PostTarget beneath() {
            return beneath;
        }

        @Override
        int enter() {
            return beneath.enter();
        }

        @Override
        int accepted(int slot) {
            requests.slots().sharedReceiveQueue(slot, number);
            return beneath.accepted(slot);
        }

        @Override
        int acceptedTo(NativeAddressHandle handle, int slot) {
            throw new AssertionError("no datagram is posted to " + queuePair.resourceName());
        }

        @Override
        void requireBindable(MemoryWindow.Type type) {
            beneath.requireBindable(type);
        }

        @Override
        int bindType1(long wrId, IbvMemoryWindow window, Region region, WindowBinding asked, int flags) {
            return beneath.bindType1(wrId, window, region, asked, flags);
        }

        @Override
        void bindAccepted(IbvMemoryWindow window, int rkey, RegisteredBuffer buffer) {
            beneath.bindAccepted(window, rkey, buffer);
        }
    }
}
