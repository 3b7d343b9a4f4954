package org.panamaverbs.ibverbs.datagram;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_qp_attr;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.ConnectionFailures;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.post.IbvAddressHandle;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;

/** Makes queue pairs ready for datagrams with what the connection manager says of them. */
final class DatagramSteps {
    private DatagramSteps() {}

    /**
     * Returns {@code queuePair} as one of {@code context}.
     *
     * @throws UnsupportedOperationException if the device has no datagrams
     * @throws IllegalArgumentException if it is another context's, or not of type UD
     */
    static IbvQueuePair own(QueuePair queuePair, IbvContext context) {
        requireDatagrams(context);
        IbvQueuePair ours = IbvQueuePair.own(queuePair, context);
        if (ours.config().type() != QueuePairType.UD) {
            throw new IllegalArgumentException(ours.resourceName() + " is "
                    + ours.config().type() + ", datagrams need UD; remedy: create it with"
                    + " QueuePairConfig.withType(UD)");
        }
        return ours;
    }

    /**
     * Does nothing if the device has datagrams.
     *
     * @throws UnsupportedOperationException otherwise
     */
    static void requireDatagrams(IbvContext context) {
        if (!context.capabilities().queuePairTypes().contains(QueuePairType.UD)) {
            throw new UnsupportedOperationException("device " + context.device() + " has only queue pairs of type "
                    + context.capabilities().queuePairTypes()
                    + "; datagrams and multicast need UD; remedy: use a device on InfiniBand or RoCE");
        }
    }

    /**
     * Takes {@code queuePair} from INIT to RTS with the port, partition and key of {@code id}, which is bound to a
     * device; from RTR, where an earlier attempt may have failed, only on to RTS; leaves one in RTS alone.
     *
     * @return the key that the connection manager has for it
     * @throws IllegalStateException if it is in another state
     */
    static int ready(IbvQueuePair queuePair, CmId id, ConnectionFailures failures) {
        // Threads may ask peers with the same queue pair at once.
        synchronized (queuePair) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment attributes = ibv_qp_attr.allocate(arena);
                MemorySegment mask = arena.allocate(ValueLayout.JAVA_INT);
                ibv_qp_attr.qp_state(attributes, Ibverbs.IBV_QPS_INIT());
                int errno = id.call(() -> CmCalls.INIT_QP_ATTR.status(id.pointer(), attributes, mask));
                if (errno != 0) {
                    throw failures.call(CmCalls.INIT_QP_ATTR.name(), errno);
                }
                QueuePairState state = queuePair.state();
                if (state == QueuePairState.INIT) {
                    queuePair.modify(attributes, mask.get(ValueLayout.JAVA_INT, 0));
                    queuePair.modify(QueuePairAttributes.to(QueuePairState.RTR));
                    state = QueuePairState.RTR;
                }
                if (state == QueuePairState.RTR) {
                    queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.SQ_PSN, 0));
                } else if (state != QueuePairState.RTS) {
                    throw unfit(queuePair, state);
                }
                return ibv_qp_attr.qkey(attributes);
            }
        }
    }

    /** Makes a handle for {@code destination} in the domain of {@code queuePair}. */
    static IbvAddressHandle handle(IbvQueuePair queuePair, AddressHandleConfig destination) {
        return (IbvAddressHandle) queuePair.config().domain().addressHandle(destination);
    }

    private static IllegalStateException unfit(IbvQueuePair queuePair, QueuePairState state) {
        String remedy = switch (state) {
            case SQD, SQE -> "move it to RTS";
            default -> "move it to RESET and then to INIT, with its port, partition and key,";
        };
        return new IllegalStateException(queuePair.resourceName() + " is in state " + state
                + ", datagrams need INIT, RTR or RTS; remedy: " + remedy + " with QueuePair.modify, or create another"
                + " one");
    }

    /** Gives {@code queuePair}, which is in RTS, the key that datagrams for it must have. */
    static void key(IbvQueuePair queuePair, int qkey) {
        queuePair.modify(new QueuePairAttributes().set(Field.QKEY, Integer.toUnsignedLong(qkey)));
    }
}
