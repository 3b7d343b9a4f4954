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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Prepared calls are executed without allocating anything; no other thread of the process, of which the provider's are
 * some, allocates an object for each.
 */
@Timeout(180)
@Tag("alone")
class AllocationTest extends ConnectedSides {
    private static final int LIMIT_SECONDS = 120;
    private static final int ROUNDS = 1_000;
    private static final int SENDS_UNDER_WAY = 4;
    private static final long SMALLEST_OBJECT_BYTES = 16;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

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

    /**
     * Asserts that of the cheapest of many windows of rounds: until the code is compiled, which is late on a busy
     * machine, all cost something.
     */
    private void assertNothingAllocatedBy(Round round) throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        long own = Long.MAX_VALUE;
        long all = Long.MAX_VALUE;
        while ((own > 0 || all >= SMALLEST_OBJECT_BYTES * ROUNDS) && System.nanoTime() - until < 0) {
            long allBefore = threads.getTotalThreadAllocatedBytes();
            long ownBefore = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUNDS; i++) {
                round.run();
            }
            own = Math.min(own, threads.getCurrentThreadAllocatedBytes() - ownBefore);
            all = Math.min(all, threads.getTotalThreadAllocatedBytes() - allBefore);
        }
        assertThat(own).as("bytes of this thread in %d rounds", ROUNDS).isZero();
        assertThat(all).as("bytes of all threads in %d rounds", ROUNDS).isLessThan(SMALLEST_OBJECT_BYTES * ROUNDS);
    }

    private static SVCPostRecv receive(Side side, int number) throws IOException {
        return side.qp.postRecv(List.of(Requests.receive(number, Requests.sge(side.mr, 64L * number, 64))), null);
    }

    private static SVCPostSend send(Side side, int number) throws IOException {
        return side.qp.postSend(
                List.of(Requests.send(
                        number,
                        IbvSendWR.IBV_WR_SEND,
                        IbvSendWR.IBV_SEND_SIGNALED,
                        Requests.sge(side.mr, 64L * number, 64))),
                null);
    }

    /** What {@code ReadClient} of DiSNI does. */
    @Test
    void readAndPollAllocateNothing() throws IOException {
        SVCPostSend read = client.qp.postSend(
                List.of(Requests.rdma(
                        1,
                        IbvSendWR.IBV_WR_RDMA_READ,
                        IbvSendWR.IBV_SEND_SIGNALED,
                        server.mr,
                        0,
                        Requests.sge(client.mr, 0, 64))),
                null);
        SVCPollCq poll = poll(client);
        assertNothingAllocatedBy(() -> {
            read.execute();
            drain(poll, 1);
        });
    }

    /** What {@code SendRecvClient} and {@code SendRecvServer} of DiSNI do, both in this thread. */
    @Test
    void sendsAndRepliesOfSeveralUnderWayAllocateNothing() throws IOException {
        SVCPostRecv[] receives = new SVCPostRecv[2 * SENDS_UNDER_WAY];
        SVCPostSend[] sends = new SVCPostSend[2 * SENDS_UNDER_WAY];
        for (int i = 0; i < SENDS_UNDER_WAY; i++) {
            receives[i] = receive(client, i);
            receives[SENDS_UNDER_WAY + i] = receive(server, i);
            sends[i] = send(client, i);
            sends[SENDS_UNDER_WAY + i] = send(server, i);
        }
        SVCPollCq clientPoll = poll(client);
        SVCPollCq serverPoll = poll(server);
        assertNothingAllocatedBy(() -> {
            for (SVCPostRecv receive : receives) {
                receive.execute();
            }
            for (int i = 0; i < SENDS_UNDER_WAY; i++) {
                sends[i].execute();
            }
            drain(serverPoll, SENDS_UNDER_WAY);
            for (int i = SENDS_UNDER_WAY; i < sends.length; i++) {
                sends[i].execute();
            }
            drain(serverPoll, SENDS_UNDER_WAY);
            drain(clientPoll, 2 * SENDS_UNDER_WAY);
        });
    }

    @Test
    void listOfWriteAndReadChangedByItsViewsAllocatesNothing() throws IOException {
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
        assertNothingAllocatedBy(() -> {
            long offset = 8 * (round[0]++ % 64);
            call.getWrMod(0).getRdmaMod().setRemote_addr(server.mr.getAddr() + offset);
            call.getWrMod(0).getSgeMod(0).setAddr(client.mr.getAddr() + offset);
            call.execute();
            drain(poll, 1);
        });
    }
}
