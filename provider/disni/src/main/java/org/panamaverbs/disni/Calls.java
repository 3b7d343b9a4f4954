package org.panamaverbs.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.disni.objects.CompChannel;
import org.panamaverbs.disni.objects.Context;
import org.panamaverbs.disni.objects.Cq;
import org.panamaverbs.disni.objects.Failures;
import org.panamaverbs.disni.objects.Mr;
import org.panamaverbs.disni.objects.Pd;
import org.panamaverbs.disni.objects.Qp;
import org.panamaverbs.disni.objects.Registrations;
import org.panamaverbs.disni.prepared.DeregMrCall;
import org.panamaverbs.disni.prepared.PollCqCall;
import org.panamaverbs.disni.prepared.PostRecvCall;
import org.panamaverbs.disni.prepared.PostSendCall;
import org.panamaverbs.disni.prepared.RegMrCall;
import org.panamaverbs.disni.prepared.ReqNotifyCall;

/** DiSNI's verbs: makes its objects and its prepared calls. */
final class Calls extends RdmaVerbs {
    private static final int OK = 0;
    private static final int NO_ODP = -1;
    private static final int ENOSYS = 38; // asm-generic/errno.h

    private final AtomicInteger numbers = new AtomicInteger();

    @Override
    public IbvPd allocPd(IbvContext context) throws IOException {
        Context own = Failures.own("allocPd", Context.class, context);
        return new Pd(own, Failures.call("allocPd", own.verbs()::protectionDomain), numbers.incrementAndGet());
    }

    @Override
    public int deallocPd(IbvPd pd) throws IOException {
        Failures.own("deallocPd", Pd.class, pd).destroy();
        return OK;
    }

    @Override
    public IbvCompChannel createCompChannel(IbvContext context) throws IOException {
        Context own = Failures.own("createCompChannel", Context.class, context);
        return new CompChannel(own, Failures.call("createCompChannel", own.verbs()::completionChannel));
    }

    @Override
    public int destroyCompChannel(IbvCompChannel compChannel) throws IOException {
        Failures.own("destroyCompChannel", CompChannel.class, compChannel).destroy();
        return OK;
    }

    @Override
    public IbvCQ createCQ(IbvContext context, @Nullable IbvCompChannel compChannel, int ncqe, int compVector)
            throws IOException {
        Context own = Failures.own("createCQ", Context.class, context);
        if (compChannel == null) {
            return createCQ(own, null, null, ncqe);
        }
        CompChannel channel = Failures.own("createCQ", CompChannel.class, compChannel);
        CompletionChannel acquired = channel.acquire();
        boolean made = false;
        try {
            Cq cq = createCQ(own, channel, acquired, ncqe);
            made = true;
            return cq;
        } finally {
            if (!made) {
                channel.release();
            }
        }
    }

    private Cq createCQ(
            Context context, @Nullable CompChannel compChannel, @Nullable CompletionChannel channel, int capacity)
            throws IOException {
        CompletionQueue queue = Failures.call(
                "createCQ",
                () -> context.verbs()
                        .completionQueue(CompletionQueueConfig.of(capacity).withChannel(channel)));
        return new Cq(context, compChannel, queue, numbers.incrementAndGet());
    }

    @Override
    public int destroyCQ(IbvCQ cq) throws IOException {
        Failures.own("destroyCQ", Cq.class, cq).destroy();
        return OK;
    }

    /** Takes an event; which queue raised it does not matter to DiSNI. */
    @Override
    public boolean getCqEvent(IbvCompChannel compChannel, IbvCQ cq, int timeout) throws IOException {
        return Failures.own("getCqEvent", CompChannel.class, compChannel).await(timeout);
    }

    /** Does nothing: an event is acknowledged when it is taken. */
    @Override
    public int ackCqEvents(IbvCQ cq, int nevents) throws IOException {
        Failures.own("ackCqEvents", Cq.class, cq).requireOpen("ackCqEvents");
        return OK;
    }

    @Override
    public SVCRegMr regMr(IbvPd pd, ByteBuffer buffer, int access) throws IOException {
        return new RegMrCall(Failures.own("regMr", Pd.class, pd), Registrations.all(buffer), access);
    }

    @Override
    public SVCRegMr regMr(IbvPd pd, long address, int length, int access) throws IOException {
        return new RegMrCall(Failures.own("regMr", Pd.class, pd), Registrations.at(address, length), access);
    }

    @Override
    public SVCDeregMr deregMr(IbvMr mr) throws IOException {
        return new DeregMrCall(Failures.own("deregMr", Mr.class, mr));
    }

    /**
     * Returns -1 without on-demand paging. A device that has it does not tell for which operations, so that the answer
     * is 0 then, none for certain.
     */
    @Override
    public int queryOdpSupport(IbvContext context) throws IOException {
        Context own = Failures.own("queryOdpSupport", Context.class, context);
        return own.verbs().capabilities().has(Feature.ON_DEMAND_PAGING) ? 0 : NO_ODP;
    }

    /** Returns ENOSYS: there is no prefetching. */
    @Override
    public int expPrefetchMr(IbvMr mr, long address, int length) throws IOException {
        Failures.own("expPrefetchMr", Mr.class, mr);
        return ENOSYS;
    }

    @Override
    public SVCPostSend postSend(IbvQP qp, List<IbvSendWR> wrList, @Nullable List<IbvSendWR> badwrList)
            throws IOException {
        return new PostSendCall(Failures.own("postSend", Qp.class, qp), wrList);
    }

    @Override
    public SVCPostRecv postRecv(IbvQP qp, List<IbvRecvWR> wrList, @Nullable List<IbvRecvWR> badwrList)
            throws IOException {
        return new PostRecvCall(Failures.own("postRecv", Qp.class, qp), wrList);
    }

    @Override
    public SVCPollCq pollCQ(IbvCQ cq, IbvWC[] wcList, int ne) throws IOException {
        return new PollCqCall(Failures.own("pollCQ", Cq.class, cq), wcList, ne);
    }

    @Override
    public SVCReqNotify reqNotifyCQ(IbvCQ cq, boolean solicitedOnly) throws IOException {
        return new ReqNotifyCall(Failures.own("reqNotifyCQ", Cq.class, cq), solicitedOnly);
    }
}
