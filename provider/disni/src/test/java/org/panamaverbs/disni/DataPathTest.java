package org.panamaverbs.disni;

import static com.ibm.disni.verbs.IbvSendWR.IBV_SEND_INLINE;
import static com.ibm.disni.verbs.IbvSendWR.IBV_SEND_SIGNALED;
import static com.ibm.disni.verbs.IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP;
import static com.ibm.disni.verbs.IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD;
import static com.ibm.disni.verbs.IbvSendWR.IBV_WR_RDMA_READ;
import static com.ibm.disni.verbs.IbvSendWR.IBV_WR_RDMA_WRITE;
import static com.ibm.disni.verbs.IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM;
import static com.ibm.disni.verbs.IbvSendWR.IBV_WR_SEND;
import static com.ibm.disni.verbs.IbvSendWR.IBV_WR_SEND_WITH_IMM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.disni.Requests.rdma;
import static org.panamaverbs.disni.Requests.receive;
import static org.panamaverbs.disni.Requests.send;
import static org.panamaverbs.disni.Requests.sge;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.disni.objects.Qp;

/** Work requests and completions through DiSNI's calls. */
@Timeout(60)
class DataPathTest extends ConnectedSides {
    private static final int RECV = 128;
    private static final int FLUSHED = 5;

    private static SVCPostSend prepared(Side side, IbvSendWR... requests) throws IOException {
        return side.qp.postSend(List.of(requests), null);
    }

    private static void receiveAt(Side side, long id, int offset, int length) throws IOException {
        side.qp
                .postRecv(List.of(receive(id, sge(side.mr, offset, length))), null)
                .execute();
    }

    @Test
    void sendArrivesWithItsLengthAndBothQueuePairNumbers() throws IOException {
        receiveAt(server, 7, 0, 64);
        client.memory.putLong(128, 0x0123_4567_89AB_CDEFL);
        prepared(client, send(8, IBV_WR_SEND, IBV_SEND_SIGNALED, sge(client.mr, 128, 8)))
                .execute();

        IbvWC received = server.success();
        assertThat(received.getWr_id()).isEqualTo(7);
        assertThat(received.getOpcode()).isEqualTo(RECV);
        assertThat(received.isSend()).isFalse();
        assertThat(received.getByte_len()).isEqualTo(8);
        assertThat(received.getQp_num()).isEqualTo(server.qp.getQp_num());
        assertThat(server.memory.getLong(0)).isEqualTo(0x0123_4567_89AB_CDEFL);
        IbvWC sent = client.success();
        assertThat(sent.getWr_id()).isEqualTo(8);
        assertThat(sent.getOpcode()).isZero();
        assertThat(sent.isSend()).isTrue();
        assertThat(sent.getQp_num()).isEqualTo(client.qp.getQp_num());
    }

    @Test
    void unsignaledWriteAndSignaledReadInOneListBringOneCompletion() throws IOException {
        client.memory.putLong(0, 42);
        SVCPostSend call = prepared(
                client,
                rdma(1, IBV_WR_RDMA_WRITE, 0, server.mr, 256, sge(client.mr, 0, 8)),
                rdma(2, IBV_WR_RDMA_READ, IBV_SEND_SIGNALED, server.mr, 256, sge(client.mr, 64, 1)));
        for (int i = 0; i < 3 * Side.DEPTH; i++) {
            call.execute();
            IbvWC completion = client.success();
            assertThat(completion.getWr_id()).isEqualTo(2);
            assertThat(completion.getOpcode()).isEqualTo(2);
        }
        assertThat(server.memory.getLong(256)).isEqualTo(42);
        assertThat(client.memory.get(64)).isEqualTo(server.memory.get(256));
    }

    @Test
    void preparedCallsCopyTheirRequestsAndChangeByTheirViewsAlone() throws IOException {
        IntStream.range(0, 100).forEach(i -> server.memory.put(i, (byte) (i + 1)));
        IbvSge sge = sge(client.mr, 0, 4);
        IbvSendWR request = rdma(1, IBV_WR_RDMA_READ, IBV_SEND_SIGNALED, server.mr, 0, sge);
        SVCPostSend call = prepared(client, request);
        request.setWr_id(99);
        request.setOpcode(IBV_WR_SEND);
        sge.setLength(2000);

        call.execute();
        assertThat(client.success().getWr_id()).isEqualTo(1);
        assertThat(client.memory.getInt(0)).isEqualTo(0x01020304);
        assertThat(client.memory.get(4)).isZero();

        SVCPostSend.SendWRMod view = call.getWrMod(0);
        view.setWr_id(3);
        view.getSgeMod(0).setLength(8);
        view.getSgeMod(0).setAddr(client.mr.getAddr() + 512);
        view.getRdmaMod().setRemote_addr(server.mr.getAddr() + 10);
        call.execute();
        assertThat(client.success().getWr_id()).isEqualTo(3);
        assertThat(client.memory.getLong(512)).isEqualTo(0x0B0C_0D0E_0F10_1112L);
        assertThat(view.getOpcode()).isEqualTo(IBV_WR_RDMA_READ);
        assertThat(view.getNum_sge()).isEqualTo(1);
    }

    @Test
    void gathersAndScattersSeveralPieces() throws IOException {
        client.memory.putInt(0, 1).putInt(100, 2).putInt(200, 3);
        server.qp
                .postRecv(List.of(receive(1, sge(server.mr, 0, 6), sge(server.mr, 100, 6))), null)
                .execute();
        prepared(
                        client,
                        send(
                                2,
                                IBV_WR_SEND,
                                IBV_SEND_SIGNALED,
                                sge(client.mr, 0, 4),
                                sge(client.mr, 100, 4),
                                sge(client.mr, 200, 4)))
                .execute();
        assertThat(server.success().getByte_len()).isEqualTo(12);
        assertThat(server.memory.getInt(0)).isEqualTo(1);
        assertThat(server.memory.getShort(4)).isZero();
        assertThat(server.memory.getShort(100)).isEqualTo((short) 2);
        assertThat(server.memory.getInt(102)).isEqualTo(3);
    }

    @Test
    void inlineDataMayBeReusedAtOnceAndNeedsNoKey() throws IOException {
        receiveAt(server, 1, 0, 16);
        receiveAt(server, 2, 16, 16);
        IbvSge first = sge(client.mr, 0, 4);
        IbvSge second = sge(client.mr, 8, 4);
        first.setLkey(0);
        second.setLkey(0);
        client.memory.putInt(0, 0x11111111).putInt(8, 0x22222222);
        int flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE;
        prepared(client, send(1, IBV_WR_SEND, flags, first)).execute();
        prepared(client, send(2, IBV_WR_SEND, flags, first, second)).execute();
        client.memory.putInt(0, -1).putInt(8, -1);
        server.success();
        assertThat(server.success().getByte_len()).isEqualTo(8);
        assertThat(server.memory.getInt(0)).isEqualTo(0x11111111);
        assertThat(server.memory.getLong(16)).isEqualTo(0x1111_1111_2222_2222L);
    }

    @Test
    void inlineDataBeyondTheQueuePairsLimitIsRefusedByName() throws IOException {
        SVCPostSend call =
                prepared(client, send(5, IBV_WR_SEND, IBV_SEND_INLINE, sge(client.mr, 0, 4000), sge(client.mr, 0, 90)));
        assertThatThrownBy(call::execute)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("wr_id 5")
                .hasMessageContaining("inline data too long");
    }

    @Test
    void immediateDataComesAsItWasSet() throws IOException {
        receiveAt(server, 1, 0, 16);
        IbvSendWR request = rdma(2, IBV_WR_RDMA_WRITE_WITH_IMM, IBV_SEND_SIGNALED, server.mr, 64, sge(client.mr, 0, 8));
        request.setImm_data(0x0A0B0C0D);
        prepared(client, request).execute();
        IbvWC received = server.success();
        assertThat(received.getOpcode()).isEqualTo(129);
        assertThat(received.getImm_data()).isEqualTo(0x0A0B0C0D);
        assertThat(received.getWc_flags()).isEqualTo(2);
    }

    @Test
    void atomicsAddAndSwap() throws IOException {
        server.memory.order(ByteOrder.nativeOrder()).putLong(512, 40);
        client.memory.order(ByteOrder.nativeOrder());
        IbvSendWR add = send(1, IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_SEND_SIGNALED, sge(client.mr, 0, 8));
        add.getAtomic().setRemote_addr(server.mr.getAddr() + 512);
        add.getAtomic().setRkey(server.mr.getRkey());
        add.getAtomic().setCompare_add(2);
        prepared(client, add).execute();
        assertThat(client.success().getOpcode()).isEqualTo(4);
        assertThat(client.memory.getLong(0)).isEqualTo(40);

        IbvSendWR swap = send(2, IBV_WR_ATOMIC_CMP_AND_SWP, IBV_SEND_SIGNALED, sge(client.mr, 8, 8));
        swap.getAtomic().setRemote_addr(server.mr.getAddr() + 512);
        swap.getAtomic().setRkey(server.mr.getRkey());
        swap.getAtomic().setCompare_add(42);
        swap.getAtomic().setSwap(-1);
        prepared(client, swap).execute();
        assertThat(client.success().getOpcode()).isEqualTo(3);
        assertThat(client.memory.getLong(8)).isEqualTo(42);
        assertThat(server.memory.getLong(512)).isEqualTo(-1);
    }

    @Test
    void whatTheDeviceLacksIsNamed() throws IOException {
        SVCPostSend call = prepared(client, send(1, IBV_WR_SEND_WITH_IMM, IBV_SEND_SIGNALED, sge(client.mr, 0, 8)));
        assertThatThrownBy(call::execute)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("postSend")
                .hasMessageContaining("iwarp0")
                .hasMessageContaining("SEND_WITH_IMMEDIATE");
    }

    @Test
    void requestsThatNobodyHasAreRefusedWhenTheyArePrepared() {
        assertThatThrownBy(() -> prepared(client, send(1, 11, 0, sge(client.mr, 0, 8))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("opcode 11");
        assertThatThrownBy(() -> prepared(client, send(1, IBV_WR_ATOMIC_FETCH_AND_ADD, 0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("0 scatter/gather elements");
    }

    @Test
    void fullQueueNamesTheRequestThatDidNotGetIn() throws IOException {
        List<IbvSendWR> list = new ArrayList<>();
        int most = ((Qp) client.qp).queuePair().config().maxSendWr();
        for (int i = 0; i <= most; i++) {
            list.add(rdma(i, IBV_WR_RDMA_WRITE, IBV_SEND_SIGNALED, server.mr, 0, sge(client.mr, 0, 8)));
        }
        assertThatThrownBy(() -> client.qp.postSend(list, null).execute())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("work request " + most)
                .hasMessageContaining("queue full");
        for (int i = 0; i < most; i++) {
            assertThat(client.success().getWr_id()).isEqualTo(i);
        }
    }

    @Test
    void disconnectFlushesReceivesAsReceives() throws IOException {
        for (int i = 0; i < Side.DEPTH; i++) {
            receiveAt(client, i, 0, 64);
            receiveAt(server, i, 0, 64);
        }
        pair.disconnect();
        for (int i = 0; i < Side.DEPTH; i++) {
            expectFlushedReceive(client, i);
            expectFlushedReceive(server, i);
        }
        prepared(client, send(0, IBV_WR_SEND, IBV_SEND_SIGNALED, sge(client.mr, 0, 8)))
                .execute();
        IbvWC flushed = client.completion();
        assertThat(flushed.getStatus()).isEqualTo(FLUSHED);
        assertThat(flushed.isSend()).isTrue();
    }

    private static void expectFlushedReceive(Side side, long id) throws IOException {
        IbvWC flushed = side.completion();
        assertThat(flushed.getStatus()).isEqualTo(FLUSHED);
        assertThat(flushed.getOpcode()).isEqualTo(RECV);
        assertThat(flushed.getWr_id()).isEqualTo(id);
        assertThat(flushed.getQp_num()).isEqualTo(side.qp.getQp_num());
    }

    @Test
    void armedQueueRaisesAnEvent() throws IOException {
        server.cq.reqNotification(false).execute().free();
        assertThat(server.compChannel.getCqEvent(server.cq, 1)).isFalse();
        receiveAt(server, 1, 0, 64);
        prepared(client, send(1, IBV_WR_SEND, 0, sge(client.mr, 0, 8))).execute();
        assertThat(server.compChannel.getCqEvent(server.cq, Side.LIMIT_MILLIS)).isTrue();
        assertThat(server.cq.ackEvents(1)).isZero();
        server.success();
    }

    @Test
    void callsThatWereFreedSaySo() throws IOException {
        SVCPostSend call = prepared(client, send(1, IBV_WR_SEND, 0, sge(client.mr, 0, 8)));
        assertThat(call.isValid()).isTrue();
        call.free();
        assertThat(call.isValid()).isFalse();
        assertThatThrownBy(call::execute).isInstanceOf(IOException.class).hasMessageContaining("closed");
        assertThatThrownBy(() -> call.getWrMod(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no work request 1");
    }
}
