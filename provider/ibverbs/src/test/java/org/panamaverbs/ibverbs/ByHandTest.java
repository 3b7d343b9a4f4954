package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Patterns;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.Waits;

/** Queue pairs that are taken through their states by hand, without connection manager. */
@RunsOn(Devices.Rxe.class)
class ByHandTest extends Conformance {
    private static final int GRH_BYTES = 40;
    private static final int QKEY = 0x2468;
    private static final int PSN = 0x123456;

    @Test
    void connectsReliableQueuePairs() throws Exception {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair qpA = a.newQueuePair(config -> config);
        QueuePair qpB = b.newQueuePair(config -> config);
        readyToReceive(a, qpA, b, qpB.number());
        readyToReceive(b, qpB, a, qpA.number());
        readyToSend(qpA);
        readyToSend(qpB);

        assertThat(qpA.state()).isEqualTo(QueuePairState.RTS);
        byte[] data = Patterns.bytes(1, 5000);
        a.put(0, data);
        accepted(qpA.write(1, a.buffer(), 0, data.length, b.remote(), 64, SendFlag.SIGNALED));
        a.inbox().takeOk(1);
        assertThat(b.get(64, data.length)).isEqualTo(data);
        accepted(qpB.recv(2, b.buffer(), 8192, 100));
        accepted(qpA.send(3, a.buffer(), 0, 100, SendFlag.SIGNALED));
        a.inbox().takeOk(3);
        assertThat(b.inbox().takeOk(2).byteCount()).isEqualTo(100);
        assertThat(a.verbs().counters().get("port1.rcvd_pkts")).isPositive();
        assertThat(qpA.query().get(Field.DEST_QPN)).hasValue(qpB.number());
        assertThat(qpA.query().get(Field.PATH_MTU)).hasValue(1024);
    }

    @Test
    void connectsUnreliableQueuePairs() throws Exception {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair qpA = a.newQueuePair(config -> config.withType(QueuePairType.UC));
        QueuePair qpB = b.newQueuePair(config -> config.withType(QueuePairType.UC));
        for (var step : List.of(new Ends(a, qpA, b, qpB), new Ends(b, qpB, a, qpA))) {
            step.qp()
                    .modify(QueuePairAttributes.to(QueuePairState.RTR)
                            .address(path(step.side(), step.peer()))
                            .set(Field.PATH_MTU, 1024)
                            .set(Field.DEST_QPN, step.peerQp().number())
                            .set(Field.RQ_PSN, PSN));
            step.qp().modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.SQ_PSN, PSN));
        }

        accepted(qpB.recv(2, b.buffer(), 0, 100));
        accepted(qpA.send(3, a.buffer(), 0, 100, SendFlag.SIGNALED));
        a.inbox().takeOk(3);
        assertThat(b.inbox().takeOk(2).byteCount()).isEqualTo(100);
    }

    @Test
    void sendsDatagrams() throws Exception {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair qpA = datagrams(a);
        QueuePair qpB = datagrams(b);
        byte[] data = Patterns.bytes(2, 200);
        a.put(0, data);
        accepted(qpB.recv(1, b.buffer(), 0, 4096));
        AddressHandle toB = resources().add(a.domain().addressHandle(path(a, b)));
        SgList local = SgList.ofCapacity(1).add(a.buffer(), 0, data.length);
        accepted(qpA.postDatagram(
                SendOpcode.SEND_WITH_IMMEDIATE, 2, local, toB, qpB.number(), QKEY, 0xABCD, SendFlag.SIGNALED));

        a.inbox().takeOk(2);
        var received = b.inbox().takeOk(1);
        // A datagram's first 40 octets are the global route header.
        assertThat(received.byteCount()).isEqualTo(GRH_BYTES + data.length);
        assertThat(received.immediate()).isEqualTo(0xABCD);
        assertThat(b.get(GRH_BYTES, data.length)).isEqualTo(data);
    }

    @Test
    void dropsDatagramsWithAnotherKey() throws Exception {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair qpA = datagrams(a);
        QueuePair qpB = datagrams(b);
        accepted(qpB.recv(1, b.buffer(), 0, 4096));
        AddressHandle toB = resources().add(a.domain().addressHandle(path(a, b)));
        SgList local = SgList.ofCapacity(1).add(a.buffer(), 0, 8);
        accepted(qpA.postDatagram(SendOpcode.SEND, 2, local, toB, qpB.number(), QKEY + 1, 0, SendFlag.SIGNALED));
        a.inbox().takeOk(2);
        b.inbox().expectNothing();
    }

    @Test
    void joinsAndLeavesMulticastGroups() throws Exception {
        Endpoint a = sideA(Feature.MULTICAST);
        QueuePair qp = datagrams(a);
        byte[] group = InetAddress.ofLiteral("ff0e::ffff:e101:0203").getAddress();
        qp.attachMulticast(group, 0);
        qp.detachMulticast(group, 0);
        assertThatThrownBy(() -> qp.detachMulticast(group, 0))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("ibv_detach_mcast")
                .hasMessageContaining("queue pair " + qp.number());
        assertThatThrownBy(() -> qp.attachMulticast(new byte[4], 0)).hasMessageContaining("16 octets, got 4");
    }

    @Test
    void refusesDatagramsOnOtherQueuePairs() throws Exception {
        Endpoint a = sideA();
        QueuePair qp = a.newQueuePair(config -> config);
        AddressHandle itself = resources().add(a.domain().addressHandle(path(a, a)));
        assertThatThrownBy(() -> qp.postDatagram(SendOpcode.SEND, 1, SgList.ofCapacity(1), itself, 1, QKEY, 0, 0))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("datagrams need UD");
    }

    @Test
    void refusesOtherRequestsOnDatagramQueuePairs() {
        Endpoint a = sideA();
        QueuePair qp = datagrams(a);
        assertThatThrownBy(() -> qp.send(1, a.buffer(), 0, 8, SendFlag.SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("use postDatagram");
        assertThatThrownBy(() -> qp.batch().write(1, a.buffer(), 0, 8, a.remote(), 0, 0))
                .hasMessageContaining("use postDatagram");
        assertThatThrownBy(() -> qp.postLocalInvalidate(1, 5, 0)).hasMessageContaining("use postDatagram");
    }

    @Test
    void batchOutlivesAResetOfItsQueuePair() throws Exception {
        Endpoint a = sideA();
        QueuePair qp = a.newQueuePair(config -> config);
        readyToReceive(a, qp, a, qp.number());
        readyToSend(qp);
        accepted(qp.batch().write(1, a.buffer(), 0, 8, a.remote(), 64, SendFlag.SIGNALED));
        accepted(qp.batch().write(2, a.buffer(), 0, 8, a.remote(), 64, SendFlag.SIGNALED));
        qp.modify(QueuePairAttributes.to(QueuePairState.RESET));
        assertThat(qp.batch().submit()).isEqualTo(PostStatus.NOT_CONNECTED);
        assertThat(qp.batch().submit()).isEqualTo(PostStatus.NOT_CONNECTED);
        qp.batch().discard();
        assertThat(qp.batch().submit()).isZero();
    }

    @Test
    void namesWhatATransitionLacks() throws Exception {
        Endpoint a = sideA();
        QueuePair qp = a.newQueuePair(config -> config);
        assertThatThrownBy(() -> qp.modify(QueuePairAttributes.to(QueuePairState.RTR)
                        .address(path(a, a))
                        .set(Field.PATH_MTU, 1024)
                        .set(Field.DEST_QPN, qp.number())
                        .set(Field.MIN_RNR_TIMER, 12)))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("ibv_modify_qp")
                .hasMessageContaining("from INIT to RTR")
                .hasMessageContaining("EINVAL")
                .hasMessageContaining("lacks RQ_PSN, MAX_DEST_RD_ATOMIC");
        assertThatThrownBy(() -> qp.modify(QueuePairAttributes.to(QueuePairState.RTS)))
                .hasMessageContaining("no such transition");
        assertThat(qp.state()).isEqualTo(QueuePairState.INIT);
    }

    @Test
    void goesThroughAllStates() throws Exception {
        Endpoint a = sideA();
        QueuePair qp = a.newQueuePair(config -> config);
        readyToReceive(a, qp, a, qp.number());
        assertThat(qp.send(1, a.buffer(), 0, 1, 0)).isNegative();
        readyToSend(qp);
        qp.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        assertThat(qp.state()).isEqualTo(QueuePairState.ERROR);
        accepted(qp.send(2, a.buffer(), 0, 1, SendFlag.SIGNALED));
        assertThat(a.inbox().take().status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
        qp.modify(QueuePairAttributes.to(QueuePairState.RESET));
        assertThat(qp.state()).isEqualTo(QueuePairState.RESET);
        qp.modify(QueuePairAttributes.to(QueuePairState.INIT)
                .set(Field.PKEY_INDEX, 0)
                .set(Field.PORT, 1)
                .set(Field.ACCESS, 0));
        assertThat(qp.state()).isEqualTo(QueuePairState.INIT);
    }

    @Test
    void tellsWhenASharedReceiveQueueRunsLow() throws Exception {
        Endpoint a = sideA(Feature.SHARED_RECEIVE_QUEUE);
        Endpoint b = sideB();
        SharedReceiveQueue shared = resources().add(a.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(16)));
        QueuePair qpA = a.newQueuePair(config -> config.withShared(shared));
        QueuePair qpB = b.newQueuePair(config -> config);
        readyToReceive(a, qpA, b, qpB.number());
        readyToReceive(b, qpB, a, qpA.number());
        readyToSend(qpA);
        readyToSend(qpB);
        for (int i = 0; i < 4; i++) {
            accepted(shared.recv(i, a.buffer(), 0, 64));
        }
        shared.armLimit(3);
        assertThat(shared.limit()).isEqualTo(3);
        accepted(qpB.send(9, b.buffer(), 0, 8, SendFlag.SIGNALED));
        accepted(qpB.send(10, b.buffer(), 0, 8, SendFlag.SIGNALED));
        b.inbox().takeAllOk(9, 10);

        Optional<AsyncEvent> event = a.verbs().asyncEvent(Waits.deadline());
        assertThat(event.map(AsyncEvent::type)).contains(AsyncEvent.Type.SRQ_LIMIT_REACHED);
        assertThat(event.orElseThrow().source()).isSameAs(shared);
        assertThatThrownBy(shared::available).hasMessageContaining("armLimit");
    }

    @Test
    void resizesACompletionQueue() {
        Endpoint a = sideA(Feature.CQ_RESIZE);
        var queue = a.newQueue(CompletionQueueConfig.of(10));
        queue.resize(1000);
        assertThat(queue.capacity()).isGreaterThanOrEqualTo(1000);
        assertThatThrownBy(() -> queue.resize(0)).isInstanceOf(IllegalArgumentException.class);
    }

    private record Ends(Endpoint side, QueuePair qp, Endpoint peer, QueuePair peerQp) {}

    private static QueuePair datagrams(Endpoint side) {
        QueuePair qp = side.newQueuePair(config -> config.withType(QueuePairType.UD));
        qp.modify(new QueuePairAttributes().set(Field.QKEY, QKEY));
        qp.modify(QueuePairAttributes.to(QueuePairState.RTR));
        qp.modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.SQ_PSN, PSN));
        return qp;
    }

    private static void readyToReceive(Endpoint side, QueuePair qp, Endpoint peer, int peerNumber) throws Exception {
        qp.modify(QueuePairAttributes.to(QueuePairState.RTR)
                .address(path(side, peer))
                .set(Field.PATH_MTU, 1024)
                .set(Field.DEST_QPN, peerNumber)
                .set(Field.RQ_PSN, PSN)
                .set(Field.MAX_DEST_RD_ATOMIC, 4)
                .set(Field.MIN_RNR_TIMER, 12));
    }

    private static void readyToSend(QueuePair qp) {
        qp.modify(QueuePairAttributes.to(QueuePairState.RTS)
                .set(Field.SQ_PSN, PSN)
                .set(Field.TIMEOUT, 14)
                .set(Field.RETRY_COUNT, 7)
                .set(Field.RNR_RETRY, 7)
                .set(Field.MAX_RD_ATOMIC, 4));
    }

    /** Returns the path to the device's own address; both sides are on the same device. */
    private static AddressHandleConfig path(Endpoint side, Endpoint peer) throws Exception {
        List<String> own = side.verbs().device().ports().getFirst().addresses();
        String wanted = "10.0.3.1";
        for (int index = 0; index < own.size(); index++) {
            if (own.get(index).contains(wanted)) {
                assertThat(peer.verbs().device().ports().getFirst().addresses()).contains(own.get(index));
                return new AddressHandleConfig(mapped(wanted), 0, index, 1, 0, 0, 64, 0, 0);
            }
        }
        throw new AssertionError("no GID of " + wanted + " among " + own);
    }

    private static byte[] mapped(String v4) {
        byte[] gid = new byte[16];
        gid[10] = (byte) 0xFF;
        gid[11] = (byte) 0xFF;
        System.arraycopy(InetAddress.ofLiteral(v4).getAddress(), 0, gid, 12, 4);
        return gid;
    }
}
