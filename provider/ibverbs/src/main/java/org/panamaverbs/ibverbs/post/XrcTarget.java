package org.panamaverbs.ibverbs.post;

import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.support.WindowBinding;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.ibverbs.memory.IbvMemoryWindow;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * A target of a queue pair of type XRC_SEND whose requests are for one shared receive queue of the peer: each gets its
 * number when it is written, and is handed over or kept as {@code beneath} does it.
 */
final class XrcTarget extends PostTarget {
    private final PostTarget beneath;
    private final int number;

    XrcTarget(PostTarget beneath, int number) {
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
