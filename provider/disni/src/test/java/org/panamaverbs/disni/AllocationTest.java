package org.panamaverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Prepared calls are executed without allocating anything. */
@Timeout(120)
class AllocationTest {
    private static final int LIMIT_SECONDS = 30;
    private static final int ROUNDS = 1_000;
    /** What the counter itself, or a class loaded late, may cost; the smallest object has 16 octets. */
    private static final long BYTES_ALLOWED = ROUNDS;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private Pair pair;

    @BeforeEach
    void connect() throws IOException {
        pair = Pair.connected();
    }

    @AfterEach
    void close() throws IOException {
        pair.close();
    }

    private interface Round {
        void run() throws IOException;
    }

    private static SVCPollCq poll(Side side) throws IOException {
        return side.cq.poll(new IbvWC[] {new IbvWC(), new IbvWC()}, 2);
    }

    private static void drain(SVCPollCq poll, int completions) throws IOException {
        int left = completions;
        while (left > 0) {
            left -= poll.execute().getPolls();
        }
    }

    /** Returns what the cheapest of many windows of rounds costs: until the code is compiled, all do. */
    private long bytesOf(Round round) throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        long least = Long.MAX_VALUE;
        while (least >= BYTES_ALLOWED && System.nanoTime() - until < 0) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUNDS; i++) {
                round.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    @Test
    void sendReceiveAndPollAllocateNothing() throws IOException {
        Side client = pair.client;
        Side server = pair.server;
        SVCPostRecv receive = server.qp.postRecv(List.of(Requests.receive(1, Requests.sge(server.mr, 0, 64))), null);
        SVCPostSend send = client.qp.postSend(
                List.of(Requests.send(
                        2, IbvSendWR.IBV_WR_SEND, IbvSendWR.IBV_SEND_SIGNALED, Requests.sge(client.mr, 0, 64))),
                null);
        SVCPollCq sent = poll(client);
        SVCPollCq received = poll(server);
        long bytes = bytesOf(() -> {
            receive.execute();
            send.execute();
            drain(sent, 1);
            drain(received, 1);
        });
        assertThat(bytes).isLessThan(BYTES_ALLOWED);
    }

    @Test
    void listOfWriteAndReadChangedByItsViewsAllocatesNothing() throws IOException {
        Side client = pair.client;
        Side server = pair.server;
        SVCPostSend call = client.qp.postSend(
                List.of(
                        Requests.rdma(
                                1,
                                IbvSendWR.IBV_WR_RDMA_WRITE,
                                0,
                                server.mr,
                                0,
                                Requests.sge(client.mr, 0, 64),
                                Requests.sge(client.mr, 64, 64)),
                        Requests.rdma(
                                2,
                                IbvSendWR.IBV_WR_RDMA_READ,
                                IbvSendWR.IBV_SEND_SIGNALED,
                                server.mr,
                                0,
                                Requests.sge(client.mr, 512, 1))),
                null);
        SVCPollCq poll = poll(client);
        long[] round = {0};
        long bytes = bytesOf(() -> {
            long offset = 8 * (round[0]++ % 64);
            call.getWrMod(0).getRdmaMod().setRemote_addr(server.mr.getAddr() + offset);
            call.getWrMod(0).getSgeMod(0).setAddr(client.mr.getAddr() + offset);
            call.execute();
            drain(poll, 1);
        });
        assertThat(bytes).isLessThan(BYTES_ALLOWED);
    }
}
