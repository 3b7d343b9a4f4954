package org.panamaverbs.testkit.conformance.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.api.cm.outofband.OutOfBand;
import org.panamaverbs.api.cm.outofband.OutOfBandConfig;
import org.panamaverbs.api.cm.outofband.QueuePairEndpoint;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;
import org.panamaverbs.api.ext.AlternatePath;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.random.Patterns;

/** Queue pairs that are connected out of band over a socket: {@link OutOfBand}. */
public abstract class ConnectOutOfBandConformance extends Conformance {
    private static final int GRH_BYTES = 40;
    private static final OutOfBandConfig DEFAULT = OutOfBandConfig.defaults();

    /** For subclasses. */
    protected ConnectOutOfBandConformance() {}

    @Test
    @Needs(Feature.OUT_OF_BAND)
    void connectsReliableQueuePairs() throws IOException {
        Pair pair = connected(QueuePairType.RC, config -> config, config -> config);

        byte[] data = Patterns.bytes(1, 5000);
        pair.a().put(0, data);
        RemoteBuffer theirs = pair.peerOfA().buffers().get(0);
        assertThat(theirs).isEqualTo(pair.b().remote());
        accepted(pair.qpA().write(1, pair.a().buffer(), 0, data.length, theirs, 64, SendFlag.SIGNALED));
        pair.a().inbox().takeOk(1);
        assertThat(pair.b().get(64, data.length)).isEqualTo(data);
        accepted(pair.qpB()
                .read(
                        2,
                        pair.b().buffer(),
                        8192,
                        data.length,
                        pair.peerOfB().buffers().get(0),
                        0,
                        SendFlag.SIGNALED));
        pair.b().inbox().takeOk(2);
        assertThat(pair.b().get(8192, data.length)).isEqualTo(data);
        assertThat(pair.peerOfA().qpNumber()).isEqualTo(pair.qpB().number());
    }

    @Test
    @Needs(Feature.OUT_OF_BAND)
    void connectsUnreliableQueuePairs() throws IOException {
        Pair pair = connected(QueuePairType.UC, config -> config, config -> config);
        accepted(pair.qpB().recv(2, pair.b().buffer(), 0, 100));
        accepted(pair.qpA().send(3, pair.a().buffer(), 0, 100, SendFlag.SIGNALED));
        pair.a().inbox().takeOk(3);
        assertThat(pair.b().inbox().takeOk(2).byteCount()).isEqualTo(100);
    }

    @Test
    @Needs(Feature.OUT_OF_BAND)
    void sendsDatagramsToTheirDestinations() throws IOException {
        int qkey = 0x2468;
        Pair pair = connected(QueuePairType.UD, config -> config, config -> config.withQkey(qkey));
        byte[] data = Patterns.bytes(2, 200);
        pair.a().put(0, data);
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 4096));
        DatagramDestination toB = resources().add(pair.outOfBandA().destination(pair.peerOfA()));
        assertThat(toB.qkey()).isEqualTo(qkey);
        SgList local = SgList.ofCapacity(1).add(pair.a().buffer(), 0, data.length);
        accepted(pair.qpA().postDatagram(SendOpcode.SEND, 2, local, toB, 0, SendFlag.SIGNALED));

        pair.a().inbox().takeOk(2);
        assertThat(pair.b().inbox().takeOk(1).byteCount()).isEqualTo(GRH_BYTES + data.length);
        assertThat(pair.b().get(GRH_BYTES, data.length)).isEqualTo(data);
    }

    @Test
    @Needs(Feature.OUT_OF_BAND)
    void allThatIsSetArrives() throws IOException {
        UnaryOperator<OutOfBandConfig> set = config -> config.withRetries(5, 6)
                .withRetryTimes(RetryTimes.ofCodes(13, 9))
                .withDepths(3, 8)
                .withPathMtu(512)
                .withRoute(route -> route.withTrafficClass(96).withHopLimit(7).withFlowLabel(0x12345));
        Pair pair = connected(QueuePairType.RC, set, config -> config.withDepths(2, 8));

        QueuePairAttributes found = pair.qpA().query();
        assertThat(found.retryCount()).hasValue(5);
        assertThat(found.rnrRetry()).hasValue(6);
        assertThat(found.timeout()).hasValue(13);
        assertThat(found.minRnrTimer()).hasValue(9);
        assertThat(found.maxDestRdAtomic().orElseThrow()).isGreaterThanOrEqualTo(3); // rxe takes a power of two
        // No more than the peer takes.
        assertThat(found.maxRdAtomic()).hasValue(2);
        assertThat(found.destQpNumber()).hasValue(pair.qpB().number());
        assertThat(found.rqPsn()).hasValue(pair.peerOfA().psn());
        AddressHandleConfig path = found.address().orElseThrow();
        assertThat(path.trafficClass()).isEqualTo(96);
        if (pair.a().verbs().port(1).query().linkLayer() == LinkLayer.INFINIBAND) {
            assertThat(path.hopLimit()).isEqualTo(7); // on RoCE Linux takes that of the IP route
        }
        assertThat(path.flowLabel()).isEqualTo(0x12345);
        assertThat(Gid.of(path.gid())).isEqualTo(pair.peerOfA().gid());
        // The smaller one counts on both sides.
        assertThat(found.pathMtu()).hasValue(512);
        assertThat(pair.qpB().query().pathMtu()).hasValue(512);
    }

    @Test
    @Needs({Feature.OUT_OF_BAND, Feature.PATH_MIGRATION})
    void alternatePathIsKept() throws IOException {
        Pair pair = connected(QueuePairType.RC, config -> config, config -> config);
        AddressHandleConfig path = pair.outOfBandA().path(pair.peerOfA());
        pair.qpA().modify(new QueuePairAttributes().alternatePath(new AlternatePath(path, 0, 15)));
        AlternatePath found = pair.qpA().query().alternatePath().orElseThrow();
        assertThat(found.timeout()).isEqualTo(15);
        assertThat(found.address().gid()).isEqualTo(path.gid());
        assertThat(found.address().lid()).isEqualTo(path.lid());
    }

    @Test
    @ApiCase
    void alternatePathThatCannotActIsRefused() {
        Endpoint a = sideA();
        requires(!a.capabilities().has(Feature.PATH_MIGRATION), a.verbs(), "has PATH_MIGRATION");
        QueuePair qp = a.newQueuePair(config -> config);
        AlternatePath path = new AlternatePath(AddressHandleConfig.to(new Gid(1, 1)), 0, 14);
        assertThatThrownBy(() -> qp.modify(new QueuePairAttributes().alternatePath(path)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(a.verbs().device().name());
    }

    @Test
    @Needs(Feature.OUT_OF_BAND)
    void connectsAgainAfterAReset() throws IOException {
        Pair first = connected(QueuePairType.RC, config -> config, config -> config);
        first.qpA().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        assertThatThrownBy(() -> OutOfBand.of(first.a().verbs(), first.qpA(), DEFAULT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("state ERROR");
        first.qpA().modify(QueuePairAttributes.to(QueuePairState.RESET));
        first.qpB().modify(QueuePairAttributes.to(QueuePairState.RESET));
        Pair again = connect(first.a(), first.qpA(), first.b(), first.qpB(), DEFAULT, DEFAULT);
        accepted(again.qpA()
                .write(1, again.a().buffer(), 0, 8, again.peerOfA().buffers().get(0), 0, SendFlag.SIGNALED));
        again.a().inbox().takeOk(1);
    }

    @Test
    @Needs(value = Feature.OUT_OF_BAND, types = QueuePairType.UC)
    @ApiCase
    void refusesAPeerOfAnotherType() {
        Endpoint a = sideA();
        OutOfBand reliable = begin(a, QueuePairType.RC);
        OutOfBand unreliable = begin(a, QueuePairType.UC);
        expect(assertThatThrownBy(() -> reliable.readyToReceive(unreliable.endpoint())), Reason.NEGOTIATION)
                .hasMessageContaining("of type UC, and this side's of type RC");
        assertThatThrownBy(() -> reliable.destination(reliable.endpoint()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("datagrams need UD");
    }

    @Test
    @Needs(Feature.OUT_OF_BAND)
    @ApiCase
    void refusesAPeerThatNoWayLeadsTo() {
        Endpoint a = sideA();
        PortAttributes port = a.verbs().port(1).query();
        requires(port.linkLayer() == LinkLayer.ETHERNET, a.verbs(), "is not on Ethernet");
        OutOfBand ours = begin(a, QueuePairType.RC);
        QueuePairEndpoint own = ours.endpoint();
        expect(assertThatThrownBy(() -> ours.path(with(own, new Gid(0, 0)))), Reason.NEGOTIATION)
                .hasMessageContaining("the peer has no GID");
        Gid ipv6 = Gid.of(InetAddress.ofLiteral("2001:db8::1"));
        expect(assertThatThrownBy(() -> ours.path(with(own, ipv6))), Reason.NEGOTIATION)
                .hasMessageContaining("one is IPv4 and the other is not");
    }

    @Test
    @Needs(Feature.OUT_OF_BAND)
    @ApiCase
    void refusesWhatThePortHasNot() {
        Endpoint a = sideA();
        Port port = a.verbs().port(1);
        PortAttributes attributes = port.query();
        int empty = IntStream.range(0, attributes.gidTableLength())
                .filter(index -> port.gid(index).isEmpty())
                .findFirst()
                .orElseThrow();
        refused(a, config -> config.withGidIndex(empty), "GID index " + empty);
        refused(a, config -> config.withPkeyIndex(attributes.pkeyTableLength()), "pkeyIndex must be below");
        refused(a, config -> config.withPort(200), "has no port 200");
        if (attributes.activeMtuBytes() < 4096) {
            refused(a, config -> config.withPathMtu(4096), "at most " + attributes.activeMtuBytes());
        }
        int most = a.capabilities().maxInitiatorDepth();
        if (most < 255) {
            refused(a, config -> config.withDepths(0, most + 1), "initiatorDepth must be 0 to " + most);
        }
    }

    @Test
    @Needs(Feature.OUT_OF_BAND)
    @ApiCase
    void saysWhatThePeerDidWrong() {
        Endpoint a = sideA();
        byte[] own = begin(a, QueuePairType.RC).endpoint().encode();
        heard(a, new byte[0], Reason.RESET, "before the peer sent its endpoint");
        heard(a, Arrays.copyOf("GET / HTTP/1.1".getBytes(US_ASCII), 64), Reason.PROTOCOL, "0x47455420");
        heard(a, own, Reason.RESET, "before the peer was ready");
        heard(a, Arrays.copyOf(own, own.length + 1), Reason.PROTOCOL, "the peer sent 0x00");
    }

    @Test
    @ApiCase
    void devicesWithoutItRefuse() {
        Endpoint a = sideA();
        requires(!a.capabilities().has(Feature.OUT_OF_BAND), a.verbs(), "has OUT_OF_BAND");
        QueuePair qp = a.newQueuePair(config -> config);
        assertThatThrownBy(() -> OutOfBand.of(a.verbs(), qp, DEFAULT))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lacks OUT_OF_BAND")
                .hasMessageContaining(a.verbs().device().name());
    }

    private static QueuePairEndpoint with(QueuePairEndpoint endpoint, Gid gid) {
        return new QueuePairEndpoint(
                endpoint.type(),
                endpoint.qpNumber(),
                endpoint.psn(),
                endpoint.qkey(),
                endpoint.lid(),
                gid,
                endpoint.pathMtuBytes(),
                endpoint.responderResources(),
                endpoint.initiatorDepth(),
                endpoint.buffers());
    }

    private static void heard(Endpoint side, byte[] octets, Reason reason, String message) {
        OutOfBand ours = begin(side, QueuePairType.RC);
        expect(
                        assertThatThrownBy(
                                () -> ours.connect(new ByteArrayInputStream(octets), OutputStream.nullOutputStream())),
                        reason)
                .hasMessageContaining(message);
    }

    private static void refused(Endpoint side, UnaryOperator<OutOfBandConfig> change, String message) {
        QueuePair qp = side.newQueuePair(config -> config);
        assertThatThrownBy(() -> OutOfBand.of(side.verbs(), qp, change.apply(DEFAULT)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> expect(
            AbstractThrowableAssert<?, ? extends Throwable> thrown, Reason reason) {
        thrown.isInstanceOf(ConnectionException.class);
        thrown.extracting(failure -> ((ConnectionException) failure).reason()).isEqualTo(reason);
        return thrown;
    }

    private static OutOfBand begin(Endpoint side, QueuePairType type) {
        return OutOfBand.of(side.verbs(), side.newQueuePair(config -> config.withType(type)), DEFAULT);
    }

    private static Endpoint outOfBand(Endpoint side, QueuePairType type) {
        boolean has = side.capabilities().queuePairTypes().contains(type);
        requires(has, side.verbs(), "has no queue pairs of type " + type);
        return side;
    }

    private Pair connected(
            QueuePairType type, UnaryOperator<OutOfBandConfig> changeA, UnaryOperator<OutOfBandConfig> changeB)
            throws IOException {
        Endpoint a = outOfBand(sideA(), type);
        Endpoint b = outOfBand(sideB(), type);
        return connect(
                a,
                a.newQueuePair(config -> config.withType(type)),
                b,
                b.newQueuePair(config -> config.withType(type)),
                changeA.apply(DEFAULT),
                changeB.apply(DEFAULT));
    }

    private static Pair connect(
            Endpoint a, QueuePair qpA, Endpoint b, QueuePair qpB, OutOfBandConfig configA, OutOfBandConfig configB)
            throws IOException {
        OutOfBand outOfBandA = OutOfBand.of(a.verbs(), qpA, configA);
        OutOfBand outOfBandB = OutOfBand.of(b.verbs(), qpB, configB);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socketA = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket socketB = server.accept()) {
            int millis = (int) (Waits.deadline().remainingNanos() / 1_000_000);
            socketA.setSoTimeout(millis);
            socketB.setSoTimeout(millis);
            Background<QueuePairEndpoint> other = Background.start(
                    "out of band",
                    () -> outOfBandB.connect(socketB.getInputStream(), socketB.getOutputStream(), b.remote()));
            QueuePairEndpoint peerOfA =
                    outOfBandA.connect(socketA.getInputStream(), socketA.getOutputStream(), a.remote());
            QueuePairEndpoint peerOfB = other.await(Waits.deadline());
            assertThat(qpA.state()).isEqualTo(QueuePairState.RTS);
            assertThat(qpB.state()).isEqualTo(QueuePairState.RTS);
            return new Pair(a, qpA, outOfBandA, peerOfA, b, qpB, peerOfB);
        }
    }

    private record Pair(
            Endpoint a,
            QueuePair qpA,
            OutOfBand outOfBandA,
            QueuePairEndpoint peerOfA,
            Endpoint b,
            QueuePair qpB,
            QueuePairEndpoint peerOfB) {}
}
