package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.DatagramListener;
import org.panamaverbs.api.cm.DatagramPeer;
import org.panamaverbs.api.cm.DatagramRequest;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.random.Patterns;

/** Datagrams whose destinations the connection manager finds (RDMA_PS_UDP). */
@Needs(types = QueuePairType.UD)
public abstract class DatagramsConformance extends Conformance {
    private static final int GRH_BYTES = 40;
    private static final byte[] NOTHING = {};

    /** For subclasses. */
    protected DatagramsConformance() {}

    @Test
    void exchangesDatagramsBothWays() {
        exchange(provider().listenAddress());
    }

    @Test
    void exchangesDatagramsOverIpv6() {
        InetSocketAddress address = provider().listenAddressV6().orElse(null);
        Endpoint b = sideB();
        requires(address != null, b.verbs(), "has no IPv6 address here");
        exchange(Objects.requireNonNull(address));
    }

    private void exchange(InetSocketAddress any) {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair qpA = datagrams(a);
        QueuePair qpB = datagrams(b);
        DatagramListener listenerA = listen(a, any);
        DatagramListener listenerB = listen(b, any);
        byte[] hello = Patterns.bytes(1, 180);
        byte[] welcome = Patterns.bytes(2, 136);

        CompletableFuture<DatagramPeer> asking = ask(a, qpA, listenerB, hello);
        try (DatagramRequest request = listenerB.accept(Waits.deadline())) {
            assertThat(request.privateData()).isEqualTo(hello);
            assertThat(request.remoteAddress().getAddress()).isEqualTo(any.getAddress());
            request.accept(qpB, welcome);
            assertThatThrownBy(() -> request.accept(qpB, NOTHING)).isInstanceOf(IllegalStateException.class);
        }
        DatagramPeer peerB = resources().add(taken(asking));
        assertThat(peerB.privateData()).isEqualTo(welcome);
        assertThat(peerB.qpNumber()).isEqualTo(qpB.number());
        assertThat(peerB.qkey()).as("RDMA_UDP_QKEY").isEqualTo(0x01234567);
        assertThat(peerB.remoteAddress()).isEqualTo(listenerB.localAddress());

        CompletableFuture<DatagramPeer> askingBack = ask(b, qpB, listenerA, NOTHING);
        try (DatagramRequest request = listenerA.accept(Waits.deadline())) {
            assertThat(request.privateData()).isEqualTo(new byte[180]);
            request.accept(qpA, NOTHING);
        }
        DatagramPeer peerA = resources().add(taken(askingBack));
        assertThat(qpA.state()).isEqualTo(QueuePairState.RTS);

        sends(a, qpA, peerB, b, qpB);
        sends(b, qpB, peerA, a, qpA);
    }

    @Test
    void oneQueuePairServesSeveralPeers() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair qpB = datagrams(b);
        DatagramListener listener = listen(b, provider().listenAddress());
        for (int i = 0; i < 3; i++) {
            QueuePair qpA = datagrams(a);
            CompletableFuture<DatagramPeer> asking = ask(a, qpA, listener, NOTHING);
            listener.accept(Waits.deadline()).accept(qpB, NOTHING);
            DatagramPeer peer = resources().add(taken(asking));
            sends(a, qpA, peer, b, qpB);
        }
    }

    @Test
    void bringsTheRejectingPeersPrivateData() {
        Endpoint a = sideA();
        DatagramListener listener = listen(sideB(), provider().listenAddress());
        CompletableFuture<DatagramPeer> asking = ask(a, datagrams(a), listener, NOTHING);
        byte[] why = Patterns.bytes(3, 20);
        listener.accept(Waits.deadline()).reject(why);
        ConnectionException rejected = refused(asking);
        assertThat(rejected.reason()).isEqualTo(ConnectionException.Reason.REJECTED);
        assertThat(Arrays.copyOf(rejected.privateData(), why.length)).isEqualTo(why);
        assertThat(rejected).hasMessageContaining("the peer's application rejected the request");
    }

    @Test
    void requestThatIsDroppedIsRejected() {
        Endpoint a = sideA();
        DatagramListener listener = listen(sideB(), provider().listenAddress());
        CompletableFuture<DatagramPeer> asking = ask(a, datagrams(a), listener, NOTHING);
        listener.accept(Waits.deadline()).close();
        assertThat(refused(asking).reason()).isEqualTo(ConnectionException.Reason.REJECTED);
    }

    @Test
    void saysThatNobodyListens() {
        Endpoint a = sideA();
        DatagramListener listener = listen(sideB(), provider().listenAddress());
        InetSocketAddress address = listener.localAddress();
        listener.close();
        assertThatThrownBy(() -> a.verbs()
                        .connectDatagrams(address, datagrams(a), ConnectionConfig.defaults(), Waits.deadline()))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("no listener for datagrams at that address")
                .hasMessageContaining(address.getAddress().getHostAddress() + ":" + address.getPort())
                .extracting(e -> ((ConnectionException) e).reason())
                .isEqualTo(ConnectionException.Reason.REFUSED);
    }

    @Test
    void givesUpAtTheDeadlineAndKeepsTheQueuePair() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair qpA = datagrams(a);
        QueuePair qpB = datagrams(b);
        DatagramListener listener = listen(b, provider().listenAddress());
        assertThatThrownBy(() -> a.verbs()
                        .connectDatagrams(
                                listener.localAddress(),
                                qpA,
                                ConnectionConfig.defaults(),
                                Deadline.in(2, TimeUnit.SECONDS)))
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContaining("the peer did not answer");
        listener.accept(Waits.deadline()).close();

        CompletableFuture<DatagramPeer> asking = ask(a, qpA, listener, NOTHING);
        listener.accept(Waits.deadline()).accept(qpB, NOTHING);
        sends(a, qpA, resources().add(taken(asking)), b, qpB);
    }

    @Test
    @ApiCase
    void refusesWhatCannotCarryDatagrams() {
        Endpoint a = sideA();
        Verbs verbs = a.verbs();
        QueuePair reliable = a.newQueuePair(config -> config);
        InetSocketAddress address = provider().listenAddress();
        assertThatThrownBy(
                        () -> verbs.connectDatagrams(address, reliable, ConnectionConfig.defaults(), Waits.deadline()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is RC, datagrams need UD");
        assertThatThrownBy(() -> verbs.connectDatagrams(
                        address,
                        datagrams(a),
                        ConnectionConfig.defaults().withPrivateData(new byte[181]),
                        Waits.deadline()))
                .hasMessageContaining("private data must be 0 to 180 bytes here, got 181");
    }

    @Test
    @Needs(types = QueuePairType.UC)
    @ApiCase
    void refusesToConnectOtherTypesAndLeavesThemAsTheyAre() {
        Endpoint a = sideA();
        QueuePair unreliable = a.newQueuePair(config -> config.withType(QueuePairType.UC));
        QueuePair datagrams = datagrams(a);
        InetSocketAddress address =
                new InetSocketAddress(provider().listenAddress().getAddress(), 7);
        assertThatThrownBy(() -> a.verbs().connect(address, unreliable, ConnectionConfig.defaults(), Waits.deadline()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("it is UC")
                .hasMessageContaining("only connections of type RC")
                .hasMessageContaining("connect it with QueuePair.modify");
        assertThatThrownBy(() -> a.verbs().connect(address, datagrams, ConnectionConfig.defaults(), Waits.deadline()))
                .hasMessageContaining("use connectDatagrams");
        assertThat(unreliable.state()).isEqualTo(QueuePairState.INIT);
        assertThat(datagrams.state()).isEqualTo(QueuePairState.INIT);
    }

    @Test
    void datagramsTellHowTheyCame() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        for (CompletionQueueConfig config : queues(b)) {
            CompletionQueue queue = b.newQueue(config);
            QueuePair qpA = datagrams(a);
            QueuePair qpB = b.newQueuePair(its -> its.withType(QueuePairType.UD).withRecvCq(queue));
            DatagramListener listener = listen(b, provider().listenAddress());
            CompletableFuture<DatagramPeer> asking = ask(a, qpA, listener, NOTHING);
            try (DatagramRequest request = listener.accept(Waits.deadline())) {
                request.accept(qpB, NOTHING);
            }
            try (DatagramPeer peer = taken(asking)) {
                accepted(qpB.recv(1, b.buffer(), 0, 1024));
                SgList local = SgList.ofCapacity(1).add(a.buffer(), 0, 64);
                accepted(qpA.postDatagram(SendOpcode.SEND, 2, local, peer, 0, SendFlag.SIGNALED));
                a.inbox().takeOk(2);
            }
            WorkCompletions received = WorkCompletions.ofCapacity(1);
            queue.poll(received, Waits.deadline());
            WorkCompletion completion = received.get(0);
            boolean roce = b.verbs().device().transport() == Transport.ROCE;
            assertThat(completion.ok()).as("%s", completion).isTrue();
            assertThat(completion.sourceQpNumber()).isEqualTo(qpA.number());
            assertThat(completion.hasGrh() || !roce).as("RoCE always has a GRH").isTrue();
            assertThat(completion.sourceLid() == 0 || !roce)
                    .as("there are no LIDs on Ethernet")
                    .isTrue();
            assertThat(completion.serviceLevel()).isBetween(0, 15);
        }
    }

    private static List<CompletionQueueConfig> queues(Endpoint side) {
        CompletionQueueConfig ordinary = CompletionQueueConfig.of(16);
        WcField[] address = {WcField.SOURCE_QP, WcField.SOURCE_LID, WcField.SERVICE_LEVEL, WcField.DLID_PATH_BITS};
        boolean all =
                Arrays.stream(address).allMatch(field -> side.capabilities().has(field.feature()));
        return all ? List.of(ordinary, ordinary.withFields(address)) : List.of(ordinary);
    }

    private DatagramListener listen(Endpoint side, InetSocketAddress any) {
        return resources().add(side.verbs().listenDatagrams(any, ListenerConfig.defaults()));
    }

    private static CompletableFuture<DatagramPeer> ask(
            Endpoint side, QueuePair queuePair, DatagramListener listener, byte[] privateData) {
        ConnectionConfig config = ConnectionConfig.defaults().withPrivateData(privateData);
        return CompletableFuture.supplyAsync(
                () -> side.verbs().connectDatagrams(listener.localAddress(), queuePair, config, Waits.deadline()));
    }

    private static DatagramPeer taken(CompletableFuture<DatagramPeer> asking) {
        return asking.orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static ConnectionException refused(CompletableFuture<DatagramPeer> asking) {
        return assertThat(asking)
                .failsWithin(60, TimeUnit.SECONDS)
                .withThrowableThat()
                .havingCause()
                .asInstanceOf(InstanceOfAssertFactories.type(ConnectionException.class))
                .actual();
    }

    private static QueuePair datagrams(Endpoint side) {
        return side.newQueuePair(config -> config.withType(QueuePairType.UD));
    }

    private static void sends(Endpoint from, QueuePair qp, DatagramDestination to, Endpoint peer, QueuePair peerQp) {
        byte[] data = Patterns.bytes(4, 300);
        from.put(0, data);
        accepted(peerQp.recv(1, peer.buffer(), 8192, 1024));
        SgList local = SgList.ofCapacity(1).add(from.buffer(), 0, data.length);
        accepted(qp.postDatagram(SendOpcode.SEND, 2, local, to, 0, SendFlag.SIGNALED));
        from.inbox().takeOk(2);
        Completion received = peer.inbox().takeOk(1);
        assertThat(received.byteCount()).isEqualTo(GRH_BYTES + data.length);
        assertThat(peer.get(8192 + GRH_BYTES, data.length)).isEqualTo(data);
    }
}
