package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.random.Patterns;

/** Private data of requests, replies and rejections. InfiniBand pads it, so only iWARP's length is exact. */
public abstract class PrivateDataConformance extends Conformance {
    /** For subclasses. */
    protected PrivateDataConformance() {}

    @Test
    @Requirement({"MPA-7.1.2-1-02", "MPA-7.1.1-15", "ENH-6-06"})
    void privateDataGoesBothWays() {
        exchange(Patterns.bytes(1, 24), Patterns.bytes(2, 40));
    }

    @Test
    void noPrivateDataIsEmpty() {
        exchange(new byte[0], new byte[0]);
    }

    @Test
    @Requirement({"MPA-7.1.1-17", "ENH-7-01"})
    void asMuchPrivateDataAsTheDeviceCanGoesBothWays() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        int most = Math.min(a.capabilities().maxPrivateData(), b.capabilities().maxPrivateData());
        int mostBack = Math.min(
                a.capabilities().maxAcceptPrivateData(), b.capabilities().maxAcceptPrivateData());
        exchange(a, b, Patterns.bytes(3, most), Patterns.bytes(4, mostBack));
    }

    @Test
    void advertisedBufferArrivesAsItWas() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        Connection atA = exchange(a, b, a.remote().encode(), b.remote().encode());
        assertThat(RemoteBuffer.decode(atA.privateData())).isEqualTo(b.remote());
    }

    @Test
    @ApiCase
    @Requirement({"MPA-7.1.1-17", "ENH-7-01"})
    void refusesToConnectWithTooMuchPrivateData() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        byte[] tooMuch = new byte[a.capabilities().maxPrivateData() + 1];
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            assertThatThrownBy(() -> a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    a.newQueuePair(config -> config),
                                    a.connectionConfig().withPrivateData(tooMuch),
                                    Waits.deadline()))
                    .isInstanceOfAny(IllegalArgumentException.class, VerbsException.class)
                    .hasMessageContaining(String.valueOf(a.capabilities().maxPrivateData()));
        }
    }

    @Test
    @Requirement({"MPA-7.1.1-10", "MPA-7.1.2-2-03"})
    void rejectionCarriesPrivateData() {
        rejects(Patterns.bytes(5, 20));
    }

    @Test
    @Requirement({"MPA-7.1.1-10", "MPA-7.1.2-2-03"})
    void rejectionWithoutPrivateDataIsStillRejection() {
        rejects(new byte[0]);
    }

    @Test
    void rejectionCarriesAsMuchPrivateDataAsTheDeviceCan() {
        int most = Math.min(
                sideA().capabilities().maxRejectPrivateData(),
                sideB().capabilities().maxRejectPrivateData());
        rejects(Patterns.bytes(6, most));
    }

    @Test
    void refusesToRejectWithTooMuchPrivateData() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            Background<Boolean> rejecting = Background.start("reject", () -> {
                try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                    assertThatThrownBy(() ->
                                    request.reject(new byte[b.capabilities().maxRejectPrivateData() + 1]))
                            .isInstanceOfAny(IllegalArgumentException.class, VerbsException.class);
                    request.reject(new byte[0]);
                    return true;
                }
            });
            assertThatThrownBy(() -> a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    a.newQueuePair(config -> config),
                                    a.connectionConfig(),
                                    Waits.deadline()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(rejecting.await(Waits.deadline())).isTrue();
        }
    }

    private void rejects(byte[] data) {
        Endpoint a = sideA();
        Endpoint b = sideB();
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            Background<Boolean> rejecting = Background.start("reject", () -> {
                try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                    request.reject(data);
                    return true;
                }
            });
            ConnectionException refused = catchThrowableOfType(
                    ConnectionException.class,
                    () -> a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    a.newQueuePair(config -> config),
                                    a.connectionConfig(),
                                    Waits.deadline()));
            assertThat(refused).isNotNull();
            assertThat(refused.reason()).isEqualTo(ConnectionException.Reason.REJECTED);
            expectData(a, refused.privateData(), data);
            assertThat(rejecting.await(Waits.deadline())).isTrue();
        }
    }

    private void exchange(byte[] request, byte[] reply) {
        exchange(sideA(), sideB(), request, reply);
    }

    private Connection exchange(Endpoint a, Endpoint b, byte[] requestData, byte[] replyData) {
        AtomicReference<byte[]> seenByListener = new AtomicReference<>(new byte[] {-1});
        try (Listener listener = b.verbs().listen(provider().listenAddress())) {
            Background<Connection> accepting = Background.start("accept", () -> {
                try (ConnectionRequest request = listener.accept(Waits.deadline())) {
                    seenByListener.set(request.privateData());
                    return resources()
                            .add(request.accept(
                                    b.newQueuePair(config -> config),
                                    b.connectionConfig().withPrivateData(replyData),
                                    Waits.deadline()));
                }
            });
            Connection atA = resources()
                    .add(a.verbs()
                            .connect(
                                    provider().connectAddress(listener.localAddress()),
                                    a.newQueuePair(config -> config),
                                    a.connectionConfig().withPrivateData(requestData),
                                    Waits.deadline()));
            poller().await("the accept", accepting::isDone);
            Connection atB = accepting.await(Waits.deadline());
            expectData(b, seenByListener.get(), requestData);
            expectData(b, atB.privateData(), requestData);
            expectData(a, atA.privateData(), replyData);
            return atA;
        }
    }

    private static void expectData(Endpoint at, byte[] seen, byte[] sent) {
        if (at.keeps(Guarantee.EXACT_PRIVATE_DATA)) {
            assertThat(seen).isEqualTo(sent);
        } else {
            assertThat(seen).hasSizeGreaterThanOrEqualTo(sent.length);
            assertThat(seen).isEqualTo(Arrays.copyOf(sent, seen.length));
        }
    }
}
