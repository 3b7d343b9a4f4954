package org.panamaverbs.disni.objects;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPCap;
import com.ibm.disni.verbs.IbvQPInitAttr;
import java.io.IOException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;

/** Makes queue pairs from DiSNI's attributes. */
public final class QueuePairs {
    private QueuePairs() {}

    public static Qp create(Pd pd, IbvQPInitAttr attributes) throws IOException {
        byte type = attributes.getQp_type();
        if (type != IbvQP.IBV_QPT_RC) {
            throw Failures.unsupported(
                    "createQP", "queue pairs of type " + type + "; DiSNI has reliable connections alone, IBV_QPT_RC");
        }
        if (attributes.getSrq() != 0) {
            throw Failures.unsupported(
                    "createQP", "a shared receive queue: DiSNI has none; org.panamaverbs.api.ProtectionDomain has");
        }
        Cq sendCq = Failures.own("createQP", Cq.class, attributes.getSend_cq());
        Cq receiveCq = Failures.own("createQP", Cq.class, attributes.getRecv_cq());
        QueuePairConfig config = config(pd, sendCq, receiveCq, attributes);
        QueuePair made = Failures.call("createQP", () -> pd.domain().queuePair(config));
        return new Qp(pd, sendCq, receiveCq, made);
    }

    private static QueuePairConfig config(Pd pd, Cq sendCq, Cq receiveCq, IbvQPInitAttr attributes) {
        IbvQPCap cap = attributes.cap();
        // DiSNI has rights of registrations alone.
        return QueuePairConfig.of(pd.domain(), sendCq.queue())
                .withRecvCq(receiveCq.queue())
                .withDepth(Math.max(1, cap.getMax_send_wr()), Math.max(1, cap.getMax_recv_wr()))
                .withSge(Math.max(1, cap.getMax_send_sge()), Math.max(1, cap.getMax_recv_sge()))
                .withInline(cap.getMax_inline_data())
                .withSignalAll(attributes.getSq_sig_all() != 0)
                .withAllRemoteAccess();
    }
}
