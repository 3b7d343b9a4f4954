package org.panamaverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.SVCPollCq;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One side of a connection as DiSNI's raw verbs make it, with a queue pair, and memory of one registration. */
final class Side {
    static final int LIMIT_MILLIS = 30_000;
    static final int DEPTH = 16;
    static final int BYTES = 4096;
    static final int ALL_ACCESS = IbvMr.IBV_ACCESS_LOCAL_WRITE
            | IbvMr.IBV_ACCESS_REMOTE_WRITE
            | IbvMr.IBV_ACCESS_REMOTE_READ
            | IbvMr.IBV_ACCESS_REMOTE_ATOMIC;

    private static final List<EventType> CODES = List.of(EventType.values());

    final RdmaEventChannel events;
    final RdmaCmId id;
    final IbvPd pd;
    final IbvCompChannel compChannel;
    final IbvCQ cq;
    final IbvQP qp;
    final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
    final IbvMr mr;
    private final IbvWC[] completions = {new IbvWC()};
    private final SVCPollCq poll;

    /** Makes what the bound {@code id} needs before it connects or accepts. */
    Side(RdmaEventChannel events, RdmaCmId id) throws IOException {
        this.events = events;
        this.id = id;
        IbvContext context = id.getVerbs();
        pd = context.allocPd();
        compChannel = context.createCompChannel();
        cq = context.createCQ(compChannel, 4 * DEPTH, 0);
        qp = id.createQP(pd, attributes(cq));
        mr = pd.regMr(memory, ALL_ACCESS).execute().free().getMr();
        poll = cq.poll(completions, 1);
    }

    static IbvQPInitAttr attributes(IbvCQ cq) {
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_send_wr(DEPTH);
        attributes.cap().setMax_recv_wr(DEPTH);
        attributes.cap().setMax_send_sge(4);
        attributes.cap().setMax_recv_sge(4);
        attributes.cap().setMax_inline_data(64);
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(cq);
        attributes.setRecv_cq(cq);
        return attributes;
    }

    /** Takes the next event of {@code events}, which must be of {@code type}. */
    static RdmaCmEvent expect(RdmaEventChannel events, EventType type) throws IOException {
        RdmaCmEvent event = events.getCmEvent(LIMIT_MILLIS);
        assertThat(event).as("an event before the deadline").isNotNull();
        assertThat(event.getEvent()).as(event.toString()).isEqualTo(CODES.indexOf(type));
        event.ackEvent();
        return event;
    }

    RdmaCmEvent expect(EventType type) throws IOException {
        return expect(events, type);
    }

    /** Returns the next completion, valid until the next. */
    IbvWC completion() throws IOException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS);
        while (poll.execute().getPolls() == 0) {
            assertThat(System.nanoTime()).as("a completion before the deadline").isLessThan(until);
            Thread.onSpinWait();
        }
        return completions[0];
    }

    /** Returns the next completion, which must be a success. */
    IbvWC success() throws IOException {
        IbvWC completion = completion();
        assertThat(completion.getStatus())
                .as("status of wr_id %d", completion.getWr_id())
                .isZero();
        return completion;
    }

    /** Destroys all objects in DiSNI's order: the channel before its queue. */
    void destroy() throws IOException {
        id.destroyQP();
        id.destroyId();
        compChannel.destroyCompChannel();
        cq.destroyCQ();
        mr.deregMr().execute().free();
        try {
            pd.deallocPd();
        } catch (Exception e) {
            throw new IOException(e);
        }
        events.destroyEventChannel();
    }
}
