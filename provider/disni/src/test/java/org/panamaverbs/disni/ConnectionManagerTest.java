package org.panamaverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.RdmaPassiveEndpointGroup;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.RdmaProvider;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.disni.cm.CmEvent;
import org.panamaverbs.disni.cm.EventChannel;
import org.panamaverbs.disni.cm.Setup;
import org.panamaverbs.disni.objects.Pd;
import org.panamaverbs.disni.objects.QueuePairs;

/** Connecting, accepting, rejecting and ending through DiSNI's connection manager. */
@Timeout(60)
class ConnectionManagerTest {
    private static InetAddress loopback() {
        return InetAddress.ofLiteral("127.0.0.1");
    }

    /** Connection parameters with private data. */
    private static RdmaConnParam saying(Arena arena, String text) throws IOException {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        RdmaConnParam parameters = new RdmaConnParam();
        parameters.setPrivate_data(
                arena.allocateFrom(ValueLayout.JAVA_BYTE, data).address());
        parameters.setPrivate_data_len((byte) data.length);
        return parameters;
    }

    private static String said(RdmaCmEvent event) {
        int length = Byte.toUnsignedInt(event.getConn().getPrivate_data_len());
        return new String(
                MemorySegment.ofAddress(event.getConn().getPrivate_data())
                        .reinterpret(length)
                        .toArray(ValueLayout.JAVA_BYTE),
                StandardCharsets.UTF_8);
    }

    @Test
    void idsHaveTheDeviceOnceTheyAreBoundOrResolved() throws IOException {
        Pair.Listening listening = Pair.Listening.at(loopback());
        RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        RdmaCmId id = events.createId(RdmaCm.RDMA_PS_TCP);
        assertThat(id.getVerbs()).isNull();
        id.resolveAddr(null, listening.address(), 1000);
        IbvContext context = id.getVerbs();
        assertThat(context).isNotNull().isSameAs(listening.id().getVerbs());
        assertThat(context.getCmd_fd()).isEqualTo(listening.id().getVerbs().getCmd_fd());
        assertThat(id.getDestination()).isEqualTo(listening.address());
        id.destroyId();
        events.destroyEventChannel();
        listening.close();
    }

    @Test
    void requestSharesTheChannelAndTheDeviceOfItsListener() throws IOException {
        Pair.Listening listening = Pair.Listening.at(loopback());
        Side client = Pair.resolved(listening.address());
        client.id.connect(new RdmaConnParam());
        RdmaCmEvent event = Side.expect(listening.events(), EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
        assertThat(event.getListenIdPriv()).isSameAs(listening.id());
        assertThat(event.getConnIdPriv()).isNotSameAs(listening.id());
        assertThat(event.getConnIdPriv().getCmChannel()).isSameAs(listening.events());
        assertThat(event.getConnIdPriv().getVerbs()).isSameAs(listening.id().getVerbs());
        event.getConnIdPriv().destroyId();
        client.expect(EventType.RDMA_CM_EVENT_REJECTED);
        client.destroy();
        listening.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void sourceOfAListenerAtTheWildcardIsThisHost(String wildcard) throws IOException {
        if (wildcard.equals("::")) {
            assumeIpv6();
        }
        try (Pair pair = Pair.connected(InetAddress.ofLiteral(wildcard))) {
            Connection connection = DisniExtensions.connection(pair.client.id).orElseThrow();
            assertThat(connection.remoteAddress().getAddress().isLoopbackAddress())
                    .isTrue();
        }
    }

    @Test
    void namesThatNobodyHasLookedUpAreLookedUp() throws IOException {
        RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        RdmaCmId listener = events.createId(RdmaCm.RDMA_PS_TCP);
        listener.bindAddr(InetSocketAddress.createUnresolved("localhost", 0));
        listener.listen(10);
        int port = ((InetSocketAddress) listener.getSource()).getPort();
        Side client = Pair.resolved(InetSocketAddress.createUnresolved("localhost", port));
        assertThat(((InetSocketAddress) client.id.getDestination()).isUnresolved())
                .isFalse();
        client.destroy();
        listener.destroyId();
        events.destroyEventChannel();
    }

    @Test
    void disconnectIsToldToBothSidesOnce() throws IOException {
        try (Pair pair = Pair.connected()) {
            pair.disconnect();
            assertThat(pair.client.events.getCmEvent(0)).isNull();
            assertThat(pair.server.events.getCmEvent(0)).isNull();
        }
    }

    @Test
    void privateDataComeWithRequestAndReply() throws IOException {
        Pair.Listening listening = Pair.Listening.at(loopback());
        Side client = Pair.resolved(listening.address());
        try (Arena arena = Arena.ofConfined()) {
            client.id.connect(saying(arena, "who I am"));
            RdmaCmEvent request = Side.expect(listening.events(), EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
            assertThat(said(request)).isEqualTo("who I am");
            Side server = new Side(listening.events(), request.getConnIdPriv());
            server.id.accept(saying(arena, "welcome"));
            assertThat(said(client.expect(EventType.RDMA_CM_EVENT_ESTABLISHED))).isEqualTo("welcome");
            server.expect(EventType.RDMA_CM_EVENT_ESTABLISHED);
            Connection connection = DisniExtensions.connection(client.id).orElseThrow();
            assertThat(connection.privateData())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("welcome");
            client.destroy();
            server.expect(EventType.RDMA_CM_EVENT_DISCONNECTED);
            listening.id().destroyId();
            server.destroy();
        }
    }

    @Test
    void rejectionComesWithItsPrivateData() throws IOException {
        Pair.Listening listening = Pair.Listening.at(loopback());
        Side client = Pair.resolved(listening.address());
        client.id.connect(new RdmaConnParam());
        RdmaCmEvent request = Side.expect(listening.events(), EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
        DisniExtensions.reject(request.getConnIdPriv(), "not today".getBytes(StandardCharsets.UTF_8));
        RdmaCmEvent rejected = client.expect(EventType.RDMA_CM_EVENT_REJECTED);
        assertThat(rejected.getStatus()).isEqualTo(28);
        assertThat(said(rejected)).isEqualTo("not today");
        assertThat(DisniExtensions.failure(rejected))
                .get()
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        e -> assertThat(e.reason()).isEqualTo(ConnectionException.Reason.REJECTED));
        request.getConnIdPriv().destroyId();
        client.destroy();
        listening.close();
    }

    @Test
    void nobodyListeningIsARejectionWithTheErrorNumber() throws IOException {
        InetSocketAddress closed;
        try (ServerSocket once = new ServerSocket(0, 1, loopback())) {
            closed = new InetSocketAddress(loopback(), once.getLocalPort());
        }
        Side client = Pair.resolved(closed);
        client.id.connect(new RdmaConnParam());
        assertThat(client.expect(EventType.RDMA_CM_EVENT_REJECTED).getStatus()).isEqualTo(-111);
        client.destroy();
    }

    @Test
    void connectingEndsAtItsDeadlineWhenThePeerIsSilent() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, loopback())) {
            Side client = Pair.resolved(new InetSocketAddress(loopback(), silent.getLocalPort()));
            withTimeout("1", () -> client.id.connect(new RdmaConnParam()));
            RdmaCmEvent unreachable = client.expect(EventType.RDMA_CM_EVENT_UNREACHABLE);
            assertThat(unreachable.getStatus()).isEqualTo(-110);
            assertThat(DisniExtensions.failure(unreachable)).get().isInstanceOf(DeadlineExceededException.class);
            client.destroy();
        }
    }

    @Test
    void endpointIsToldOfARejectionByAnException() throws Exception {
        Pair.Listening listening = Pair.Listening.at(loopback());
        Thread rejecting = Thread.ofVirtual().start(() -> {
            try {
                RdmaCmEvent request = Side.expect(listening.events(), EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
                DisniExtensions.reject(request.getConnIdPriv(), "full".getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        RdmaPassiveEndpointGroup<RdmaEndpoint> group = group();
        RdmaEndpoint endpoint = group.createEndpoint();
        assertThatThrownBy(() -> endpoint.connect(listening.address(), 1000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("reject")
                .cause()
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        e -> assertThat(e.privateData())
                                .asString(StandardCharsets.UTF_8)
                                .isEqualTo("full"));
        rejecting.join();
        endpoint.close();
        group.close();
        listening.close();
    }

    @Test
    void endpointsConnectExchangeAndClose() throws Exception {
        RdmaPassiveEndpointGroup<RdmaEndpoint> group = group();
        var server = group.createServerEndpoint();
        server.bind(new InetSocketAddress(loopback(), 0), 10);
        InetSocketAddress address = (InetSocketAddress) server.getSrcAddr();
        RdmaEndpoint client = group.createEndpoint();
        Thread connecting = Thread.ofVirtual().start(() -> {
            try {
                client.connect(address, 1000);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        RdmaEndpoint accepted = server.accept();
        connecting.join();
        assertThat(client.isConnected()).isTrue();
        assertThat(accepted.isConnected()).isTrue();
        client.close();
        accepted.close();
        server.close();
        group.close();
    }

    private static RdmaPassiveEndpointGroup<RdmaEndpoint> group() throws IOException {
        return new RdmaPassiveEndpointGroup<RdmaEndpoint>(10, 10, 4, 40).createDefaultGroup(10, 10, 4, 40);
    }

    private static void assumeIpv6() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.ofLiteral("::1"))) {
            assertThat(probe.isBound()).isTrue();
        } catch (IOException e) {
            Assumptions.abort("no IPv6 loopback here: " + e);
        }
    }

    @Test
    void connectsOverIpv6() throws IOException {
        InetAddress loopback = InetAddress.ofLiteral("::1");
        assumeIpv6();
        try (Pair pair = Pair.connected(loopback)) {
            InetSocketAddress peer = (InetSocketAddress) pair.client.id.getDestination();
            assertThat(peer.getAddress()).isEqualTo(loopback);
            pair.client.memory.putLong(0, 6);
            pair.client
                    .qp
                    .postSend(
                            List.of(Requests.rdma(
                                    1,
                                    IbvSendWR.IBV_WR_RDMA_WRITE,
                                    IbvSendWR.IBV_SEND_SIGNALED,
                                    pair.server.mr,
                                    0,
                                    Requests.sge(pair.client.mr, 0, 8))),
                            null)
                    .execute();
            pair.client.success();
            pair.disconnect();
            assertThat(pair.server.memory.getLong(0)).isEqualTo(6);
        }
    }

    @Test
    void waitingForAnEventEndsWithTheChannel() throws Exception {
        RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        assertThat(events.getCmEvent(1)).isNull();
        Thread closing = Thread.ofVirtual().start(() -> {
            try {
                events.destroyEventChannel();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertThatThrownBy(() -> events.getCmEvent(-1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("closed");
        closing.join();
    }

    @Test
    void callsOutOfOrderSayWhatIsMissing() throws IOException {
        RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        RdmaCmId id = events.createId(RdmaCm.RDMA_PS_TCP);
        assertThatThrownBy(() -> id.listen(1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> id.connect(new RdmaConnParam())).isInstanceOf(IOException.class);
        id.resolveAddr(null, new InetSocketAddress(loopback(), 1), 1000);
        assertThatThrownBy(() -> id.connect(new RdmaConnParam()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("createQP");
        assertThatThrownBy(() -> id.accept(new RdmaConnParam()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("CONNECT_REQUEST");
        assertThatThrownBy(id::disconnect).isInstanceOf(IOException.class).hasMessageContaining("not connected");
        id.destroyId();
        assertThatThrownBy(id::destroyId).isInstanceOf(IOException.class).hasMessageContaining("closed");
        events.destroyEventChannel();
    }

    @Test
    void addressesOfAnIdThatIsDestroyedAreRefused() throws IOException {
        RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        RdmaCmId id = events.createId(RdmaCm.RDMA_PS_TCP);
        id.destroyId();
        InetSocketAddress address = new InetSocketAddress(loopback(), 1);
        assertThatThrownBy(() -> id.bindAddr(address))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> id.resolveAddr(null, address, 1000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("closed");
        events.destroyEventChannel();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestThatNobodyTookIsRejectedWhenItsListenerOrChannelGoes(boolean channelGoes) throws IOException {
        Pair.Listening listening = Pair.Listening.at(loopback());
        Side client = Pair.resolved(listening.address());
        client.id.connect(new RdmaConnParam());
        EventChannel events = (EventChannel) listening.events();
        RdmaCmEvent request = events.getCmEvent(Side.LIMIT_MILLIS);
        // As if it had not been taken yet: when the request comes cannot be seen otherwise.
        events.add((CmEvent) request);
        if (channelGoes) {
            events.destroyEventChannel();
        } else {
            listening.id().destroyId();
        }
        client.expect(EventType.RDMA_CM_EVENT_REJECTED);
        if (channelGoes) {
            listening.id().destroyId();
        } else {
            events.destroyEventChannel();
        }
        client.destroy();
    }

    @Test
    void whatDisniHasNotIsRefusedByName() throws IOException {
        RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        assertThatThrownBy(() -> events.createId(RdmaCm.RDMA_PS_UDP))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("0x111");
        events.destroyEventChannel();
        try (Pair pair = Pair.connected()) {
            IbvQPInitAttr datagrams = Side.attributes(pair.client.cq);
            datagrams.setQp_type((byte) 4);
            assertThatThrownBy(() -> QueuePairs.create((Pd) pair.client.pd, datagrams))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("type 4");
            IbvQPInitAttr shared = Side.attributes(pair.client.cq);
            shared.setSrq(1);
            assertThatThrownBy(() -> QueuePairs.create((Pd) pair.client.pd, shared))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("shared receive queue");
            assertThatThrownBy(() -> pair.client.id.createQP(pair.client.pd, Side.attributes(pair.client.cq)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has a queue pair");
        }
    }

    @Test
    void providerIsOursAndOneForTheProcess() throws IOException {
        assertThat(RdmaProvider.provider()).isInstanceOf(PanamaProvider.class).isSameAs(RdmaProvider.provider());
        assertThat(RdmaProvider.provider().openCm()).isSameAs(RdmaCm.open());
    }

    private interface Action {
        void run() throws IOException;
    }

    private static void withTimeout(String seconds, Action action) throws IOException {
        System.setProperty(Setup.TIMEOUT_PROPERTY, seconds);
        try {
            action.run();
        } finally {
            System.clearProperty(Setup.TIMEOUT_PROPERTY);
        }
    }
}
