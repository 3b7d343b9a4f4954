package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.random.Patterns;

/** Queue pairs that are taken through their states by hand, without connection manager. */
@Needs(types = QueuePairType.UC)
public abstract class OutOfBandConformance extends Conformance {
    private static final int GRH_BYTES = 40;
    private static final int QKEY = 0x2468;
    private static final int PSN = 0x123456;

    /** For subclasses. */
    protected OutOfBandConformance() {}

    @Test
    void connectsReliableQueuePairs() {
        Endpoint a = outOfBand(sideA());
        Endpoint b = outOfBand(sideB());
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
        assertThat(qpA.query().get(Field.DEST_QPN)).hasValue(qpB.number());
        assertThat(qpA.query().get(Field.PATH_MTU)).hasValue(1024);
    }

    @Test
    void connectsUnreliableQueuePairs() {
        Endpoint a = outOfBand(sideA());
        Endpoint b = outOfBand(sideB());
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

    /** Whatever the device has, and before any status: a queue pair that is not connected says it, too. */
    @Test
    void refusesWhatTheTypeCannotPostAndListsWhatItCan() {
        Endpoint a = outOfBand(sideA());
        QueuePair unreliable = a.newQueuePair(config -> config.withType(QueuePairType.UC));
        assertThatThrownBy(() -> accepted(unreliable.read(1, a.buffer(), 0, 8, a.remote(), 0, SendFlag.NONE)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("is UC and cannot post RDMA_READ, only " + QueuePairType.UC.sendOpcodes())
                .hasMessageContaining("type [RC, XRC_SEND]");
        QueuePair datagrams = a.newQueuePair(config -> config.withType(QueuePairType.UD));
        assertThatThrownBy(() -> accepted(datagrams.write(1, a.buffer(), 0, 8, a.remote(), 0, SendFlag.NONE)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("is UD and cannot post RDMA_WRITE, only [SEND, SEND_WITH_IMMEDIATE]")
                .hasMessageContaining("type [RC, UC, XRC_SEND]");
        assertThatThrownBy(() -> accepted(datagrams.send(1, a.buffer(), 0, 8, SendFlag.NONE)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("is UD and posts [SEND, SEND_WITH_IMMEDIATE] to an address handle")
                .hasMessageContaining("postDatagram");
    }

    @Test
    void sendsDatagrams() {
        Endpoint a = outOfBand(sideA());
        Endpoint b = outOfBand(sideB());
        QueuePair qpA = datagrams(a);
        QueuePair qpB = datagrams(b);
        byte[] data = Patterns.bytes(2, 200);
        a.put(0, data);
        accepted(qpB.recv(1, b.buffer(), 0, 4096));
        AddressHandle toB = resources().add(a.domain().addressHandle(path(a, b)));
        SgList local = SgList.ofCapacity(1).add(a.buffer(), 0, data.length);
        accepted(qpA.post(WorkRequest.of(SendOpcode.SEND_WITH_IMMEDIATE)
                .wrId(2)
                .local(local)
                .destination(toB, qpB.number(), QKEY)
                .immediate(0xABCD)
                .flags(SendFlag.SIGNALED)));

        a.inbox().takeOk(2);
        var received = b.inbox().takeOk(1);
        // A datagram's first 40 bytes are the global route header.
        assertThat(received.byteCount()).isEqualTo(GRH_BYTES + data.length);
        assertThat(received.immediate()).isEqualTo(0xABCD);
        assertThat(b.get(GRH_BYTES, data.length)).isEqualTo(data);
    }

    @Test
    void dropsDatagramsWithAnotherKey() {
        Endpoint a = outOfBand(sideA());
        Endpoint b = outOfBand(sideB());
        QueuePair qpA = datagrams(a);
        QueuePair qpB = datagrams(b);
        accepted(qpB.recv(1, b.buffer(), 0, 4096));
        AddressHandle toB = resources().add(a.domain().addressHandle(path(a, b)));
        SgList local = SgList.ofCapacity(1).add(a.buffer(), 0, 8);
        accepted(qpA.post(WorkRequest.of(SendOpcode.SEND)
                .wrId(2)
                .local(local)
                .destination(toB, qpB.number(), QKEY + 1)
                .flags(SendFlag.SIGNALED)));
        a.inbox().takeOk(2);
        b.inbox().expectNothing();
    }

    @Test
    @ApiCase
    void refusesDatagramsOnOtherQueuePairs() {
        Endpoint a = outOfBand(sideA());
        QueuePair qp = a.newQueuePair(config -> config);
        AddressHandle itself = resources().add(a.domain().addressHandle(path(a, a)));
        assertThatThrownBy(() -> qp.post(WorkRequest.of(SendOpcode.SEND)
                        .wrId(1)
                        .local(SgList.ofCapacity(1))
                        .destination(itself, 1, QKEY)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("datagrams need UD");
    }

    @Test
    @ApiCase
    void datagramsTellTheirFaultsInOrder() {
        Endpoint a = outOfBand(sideA());
        requires(a.capabilities().maxSge() >= 2, a.verbs(), "takes one piece a work request");
        QueuePair closed = datagrams(a);
        closed.close();
        QueuePair unconnected = a.newQueuePair(config -> config.withType(QueuePairType.UD));
        AddressHandle itself = resources().add(a.domain().addressHandle(path(a, a)));
        AddressHandle closedHandle = a.domain().addressHandle(path(a, a));
        closedHandle.close();
        new DatagramFaults(closed, unconnected, datagrams(a), itself, closedHandle).expectInOrder();
        a.inbox().expectNothing();
    }

    @Test
    @ApiCase
    void batchOutlivesAResetOfItsQueuePair() {
        Endpoint a = outOfBand(sideA());
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
    @ApiCase
    void goesThroughAllStates() {
        Endpoint a = outOfBand(sideA());
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

    /**
     * Skips the test unless states are gone through by hand: no connection manager connects queue pairs of type UC, so
     * that a device which has them has the transitions. Paths are made for RoCE.
     */
    private static Endpoint outOfBand(Endpoint side) {
        requires(side.verbs().device().transport() == Transport.ROCE, side.verbs(), "does not speak RoCE");
        return side;
    }

    private record Ends(Endpoint side, QueuePair qp, Endpoint peer, QueuePair peerQp) {}

    private static QueuePair datagrams(Endpoint side) {
        QueuePair qp = side.newQueuePair(config -> config.withType(QueuePairType.UD));
        qp.modify(new QueuePairAttributes().set(Field.QKEY, QKEY));
        qp.modify(QueuePairAttributes.to(QueuePairState.RTR));
        qp.modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.SQ_PSN, PSN));
        return qp;
    }

    private void readyToReceive(Endpoint side, QueuePair qp, Endpoint peer, int peerNumber) {
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
    private AddressHandleConfig path(Endpoint side, Endpoint peer) {
        InetAddress wanted = provider().listenAddress().getAddress();
        int index = gidIndex(side, wanted);
        assertThat(gidIndex(peer, wanted)).isEqualTo(index);
        return AddressHandleConfig.to(Gid.of(wanted)).withGidIndex(index);
    }

    private static int gidIndex(Endpoint side, InetAddress address) {
        return side.verbs()
                .port(1)
                .gidIndex(Gid.of(address), GidEntry.Type.ROCE_V2)
                .orElseThrow(() -> new AssertionError("no GID of " + address));
    }
}
