package org.panamaverbs.ibverbs.queuepair;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.RateLimit;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.Extended;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.post.NativeQueuePair;

/** How fast a queue pair may send: {@code ibv_modify_qp_rate_limit(3)}. */
final class PacketPacing {
    // struct ibv_qp_rate_limit_attr
    private static final int BYTES = 16;
    private static final int RATE = 0;
    private static final int BURST = 4;
    private static final int PACKET = 8;

    private PacketPacing() {}

    /** Limits {@code queuePair}; the monitor of {@code states} keeps it from being destroyed during the call. */
    static void limit(NativeQueuePair queuePair, QpStates states, RateLimit limit) {
        queuePair.requireOpen();
        IbvContext context = queuePair.context();
        context.limits().require(Feature.PACKET_PACING);
        Call modify = Extended.modifyQpRateLimit(context.handle())
                .orElseThrow(() -> new UnsupportedOperationException("the driver of device " + context.device()
                        + " has no ibv_modify_qp_rate_limit; remedy: install a newer rdma-core (apt install, dnf"
                        + " update)"));
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment attributes = scratch.allocate(BYTES, Integer.BYTES);
            attributes.set(JAVA_INT, RATE, (int) limit.kilobitsPerSecond());
            attributes.set(JAVA_INT, BURST, (int) limit.maxBurstBytes());
            attributes.set(JAVA_SHORT, PACKET, (short) limit.typicalPacketBytes());
            synchronized (states) {
                queuePair.requireOpen();
                modify.check(queuePair.resourceName(), queuePair.handle(), attributes);
            }
        }
    }
}
