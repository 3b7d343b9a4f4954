package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.Waits;

/** What libibverbs and the driver say and do by hand, beyond what the conformance suite asks of everybody. */
@RunsOn(Devices.Rxe.class)
class OutOfBandTest extends Conformance {
    private static final int QKEY = 0x2468;
    private static final int PSN = 0x123456;

    @Test
    void countsWhatItsPortReceives() {
        ConnectedPair pair = pair();
        Endpoint a = pair.a();
        accepted(pair.qpA().write(1, a.buffer(), 0, 5000, pair.b().remote(), 64, SendFlag.SIGNALED));
        a.inbox().takeOk(1);
        assertThat(a.verbs().counters().get("port1.rcvd_pkts")).isPositive();
        assertThat(a.verbs().port(1).counters().get("rcvd_pkts")).isPositive();
    }

    @Test
    void joinsAndLeavesMulticastGroups() {
        Endpoint a = sideA(Feature.MULTICAST);
        QueuePair qp = datagrams(a);
        byte[] group = InetAddress.ofLiteral("ff0e::ffff:e101:0203").getAddress();
        qp.attachMulticast(group, 0);
        qp.detachMulticast(group, 0);
        assertThatThrownBy(() -> qp.detachMulticast(group, 0))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("ibv_detach_mcast")
                .hasMessageContaining("queue pair " + qp.number());
        assertThatThrownBy(() -> qp.attachMulticast(new byte[4], 0)).hasMessageContaining("16 bytes, got 4");
    }

    @Test
    void refusesOtherRequestsOnDatagramQueuePairs() {
        Endpoint a = sideA();
        QueuePair qp = datagrams(a);
        assertThatThrownBy(() -> qp.send(1, a.buffer(), 0, 8, SendFlag.SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("use postDatagram");
        assertThatThrownBy(() -> qp.batch().write(1, a.buffer(), 0, 8, a.remote(), 0, 0))
                .hasMessageContaining("is UD and cannot post RDMA_WRITE, only [SEND, SEND_WITH_IMMEDIATE]");
        assertThatThrownBy(() -> qp.localInvalidate(1, 5, 0))
                .hasMessageContaining("is UD and cannot post LOCAL_INVALIDATE, only [SEND, SEND_WITH_IMMEDIATE]");
    }

    @Test
    void namesWhatATransitionLacks() {
        Endpoint a = sideA();
        QueuePair qp = a.newQueuePair(config -> config);
        assertThatThrownBy(() -> qp.modify(QueuePairAttributes.to(QueuePairState.RTR)
                        .address(pathToItself(a))
                        .set(Field.PATH_MTU, 1024)
                        .set(Field.DEST_QPN, qp.number())
                        .set(Field.MIN_RNR_TIMER, 12)))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("ibv_modify_qp")
                .hasMessageContaining("from INIT to RTR")
                .hasMessageContaining("EINVAL")
                .hasMessageContaining("lacks: RQ_PSN, MAX_DEST_RD_ATOMIC");
        assertThatThrownBy(() -> qp.modify(QueuePairAttributes.to(QueuePairState.RTS)))
                .hasMessageContaining("go through RESET, INIT, RTR");
        assertThat(qp.state()).isEqualTo(QueuePairState.INIT);
    }

    @Test
    void tellsWhenASharedReceiveQueueRunsLow() {
        ConnectedPair pair = pair(Feature.SHARED_RECEIVE_QUEUE);
        Endpoint a = pair.a();
        Endpoint b = pair.b();
        SharedReceiveQueue shared = resources().add(a.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(16)));
        QueuePair qpB = b.newQueuePair(config -> config);
        pair.connect(a.newQueuePair(config -> config.withSrq(shared)), qpB);
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

    private static QueuePair datagrams(Endpoint side) {
        QueuePair qp = side.newQueuePair(config -> config.withType(QueuePairType.UD));
        qp.modify(new QueuePairAttributes().set(Field.QKEY, QKEY));
        qp.modify(QueuePairAttributes.to(QueuePairState.RTR));
        qp.modify(QueuePairAttributes.to(QueuePairState.RTS).set(Field.SQ_PSN, PSN));
        return qp;
    }

    /** Returns the path from the device to itself. */
    private static AddressHandleConfig pathToItself(Endpoint side) {
        Gid own = Gid.of(InetAddress.ofLiteral("10.0.3.1"));
        int index = side.verbs()
                .port(1)
                .gidIndex(own, GidEntry.Type.ROCE_V2)
                .orElseThrow(() -> new AssertionError("no GID " + own));
        return AddressHandleConfig.to(own).withGidIndex(index);
    }
}
