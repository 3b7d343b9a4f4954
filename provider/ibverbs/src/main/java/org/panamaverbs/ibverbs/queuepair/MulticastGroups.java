package org.panamaverbs.ibverbs.queuepair;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.post.NativeQueuePair;

/**
 * The multicast groups that a queue pair receives from.
 *
 * @param queuePair the queue pair
 * @param states whose monitor keeps it from being destroyed during a call
 */
record MulticastGroups(NativeQueuePair queuePair, QpStates states) {
    private static final int GID_BYTES = 16;

    /** {@code ibv_attach_mcast(3)}. */
    void attach(byte[] gid, int lid) {
        call(IbvCalls.ATTACH_MCAST, gid, lid);
    }

    /** {@code ibv_detach_mcast(3)}. */
    void detach(byte[] gid, int lid) {
        call(IbvCalls.DETACH_MCAST, gid, lid);
    }

    private void call(Call call, byte[] gid, int lid) {
        queuePair.requireOpen();
        IbvContext context = queuePair.context();
        context.capabilities().require(Feature.MULTICAST, context.device());
        if (gid.length != GID_BYTES) {
            throw new IllegalArgumentException("a GID has " + GID_BYTES + " bytes, got " + gid.length);
        }
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment group = scratch.allocate(gid.length, Long.BYTES);
            group.copyFrom(MemorySegment.ofArray(gid));
            synchronized (states) {
                queuePair.requireOpen();
                call.check(queuePair.resourceName(), queuePair.handle(), group, (short) lid);
            }
        }
    }
}
