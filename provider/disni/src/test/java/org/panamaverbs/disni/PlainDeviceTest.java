package org.panamaverbs.disni;

import static com.ibm.disni.verbs.IbvSendWR.IBV_SEND_SIGNALED;
import static com.ibm.disni.verbs.IbvSendWR.IBV_WR_RDMA_WRITE;
import static com.ibm.disni.verbs.IbvSendWR.IBV_WR_SEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.disni.Requests.rdma;
import static org.panamaverbs.disni.Requests.receive;
import static org.panamaverbs.disni.Requests.send;
import static org.panamaverbs.disni.Requests.sge;

import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.disni.objects.Context;
import org.panamaverbs.disni.objects.Cq;
import org.panamaverbs.disni.objects.Pd;
import org.panamaverbs.disni.objects.Qp;
import org.panamaverbs.disni.prepared.PostRecvCall;
import org.panamaverbs.disni.prepared.PostSendCall;

/** DiSNI's calls on devices whose drivers take lists in part and say little of what failed. */
@Timeout(60)
class PlainDeviceTest extends ConnectedSides {
    private static final int LENGTH_ERROR = 1;
    private static final int FLUSHED = 5;
    private static final int WITH_IMMEDIATE = 1 << 1;

    @Test
    void aListThatIsTakenInPartIsNeitherLostNorPostedLater() throws IOException {
        Qp full = new Qp(
                (Pd) client.pd, (Cq) client.cq, (Cq) client.cq, PlainDevice.withRoom(((Qp) client.qp).queuePair(), 6));
        post(full, 100, 4);
        assertThatThrownBy(() -> post(full, 200, 4))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("work request 2 (wr_id 202)")
                .hasMessageContaining("queue full")
                .hasMessageContaining("the 2 before it in the list are posted");
        post(full, 300, 1);
        assertThatThrownBy(() -> post(full, 400, 2))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("work request 0 (wr_id 400)");
        for (long id : new long[] {100, 101, 102, 103, 200, 201, 300}) {
            assertThat(client.success().getWr_id()).isEqualTo(id);
        }
        ((Cq) client.cq).detach(full.receives());
    }

    private void post(Qp qp, long first, int count) throws IOException {
        List<IbvSendWR> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(rdma(first + i, IBV_WR_RDMA_WRITE, IBV_SEND_SIGNALED, server.mr, 0, sge(client.mr, 0, 8)));
        }
        new PostSendCall(qp, list).execute();
    }

    @Test
    void receivesBehindOneThatFailedAreFlushedAsReceives() throws IOException {
        Cq tacit = new Cq((Context) server.id.getVerbs(), null, PlainDevice.tacit(((Cq) server.cq).queue()), 77);
        Qp qp = new Qp((Pd) server.pd, tacit, tacit, ((Qp) server.qp).queuePair());
        List<IbvRecvWR> receives = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            receives.add(receive(i, sge(server.mr, 0, 8)));
        }
        new PostRecvCall(qp, receives).execute();
        client.qp
                .postSend(List.of(send(50, IBV_WR_SEND, IBV_SEND_SIGNALED, sge(client.mr, 0, 64))), null)
                .execute();

        IbvWC[] completions = {new IbvWC()};
        SVCPollCq poll = tacit.poll(completions, 1);
        for (int i = 0; i < 4; i++) {
            next(poll);
            assertThat(completions[0].getWr_id()).isEqualTo(i);
            assertThat(completions[0].getStatus()).isEqualTo(i == 0 ? LENGTH_ERROR : FLUSHED);
            assertThat(completions[0].isSend()).as("receive %d is a send", i).isFalse();
        }
    }

    /** As libibverbs numbers it; the number of a Write with immediate data is the next. */
    @Test
    void anEmptySendWithImmediateIsAReceive() throws IOException {
        Cq queue = new Cq((Context) server.id.getVerbs(), null, PlainDevice.emptySends(((Cq) server.cq).queue()), 78);
        Qp qp = new Qp((Pd) server.pd, queue, queue, ((Qp) server.qp).queuePair());
        new PostRecvCall(qp, List.of(receive(1, sge(server.mr, 0, 8)))).execute();
        client.qp
                .postSend(List.of(send(2, IBV_WR_SEND, IBV_SEND_SIGNALED, sge(client.mr, 0, 8))), null)
                .execute();
        IbvWC[] completions = {new IbvWC()};
        next(queue.poll(completions, 1));
        assertThat(completions[0].getOpcode()).isEqualTo(IbvWC.IbvWcOpcode.IBV_WC_RECV.getOpcode());
        assertThat(completions[0].getWc_flags()).isEqualTo(WITH_IMMEDIATE);
    }

    private static void next(SVCPollCq poll) throws IOException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Side.LIMIT_MILLIS);
        while (poll.execute().getPolls() == 0) {
            assertThat(System.nanoTime()).as("a completion before the deadline").isLessThan(until);
            Thread.onSpinWait();
        }
    }
}
