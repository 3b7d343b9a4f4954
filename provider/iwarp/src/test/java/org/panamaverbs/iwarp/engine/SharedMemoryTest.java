package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.api.device.DeviceAttributes;
import org.panamaverbs.iwarp.TestCertificates;
import org.panamaverbs.iwarp.net.unix.Hint;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.wire.Allocation;
import org.panamaverbs.memory.RemoteBuffer;

/** Who gets shared memory, who stays on TCP, and what is said of it. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class SharedMemoryTest {
    private final List<Peer> peers = new ArrayList<>();

    /** Of rings alone: what goes directly has tests of its own. */
    private Peer peer(String... options) {
        List<String> all = new ArrayList<>(List.of("shm.direct=off"));
        all.addAll(List.of(options));
        Peer peer = new Peer(all.toArray(String[]::new));
        peers.add(peer);
        return peer;
    }

    @AfterEach
    void close() {
        peers.forEach(Peer::close);
    }

    @Test
    void itIsTakenWithoutBeingAskedFor() throws Exception {
        Peer client = peer();
        Peer server = peer();

        Peer.connect(client, server);

        assertThat(client.connection().transport()).contains("shared memory (rings of");
        assertThat(server.connection().transport()).contains("shared memory (rings of");
    }

    @Test
    void bothSidesSayThatTheyShareMemory() throws Exception {
        Peer client = peer("shm=auto", "shm.ring=65536");
        Peer server = peer("shm=auto");

        Peer.connect(client, server);

        assertThat(client.connection().transport())
                .contains("shared memory (rings of 65536 and 262144 bytes)")
                .doesNotContain("CRC32C", "no shared memory");
        assertThat(server.connection().transport()).contains("shared memory (rings of 262144 and 65536 bytes)");
    }

    @ParameterizedTest
    @CsvSource({
        "auto, off, no listener at that port offers shared memory, ''",
        "off, auto, '', the peer made no Offer of shared memory",
        "off, off, '', ''",
    })
    void othersStayOnTcpAndSayWhy(String ours, String theirs, String why, String listenersWhy) throws Exception {
        Peer client = peer("shm=" + ours);
        Peer server = peer("shm=" + theirs);

        Peer.connect(client, server);

        assertThat(client.connection().transport()).contains("CRC", why);
        assertThat(server.connection().transport()).contains("CRC", listenersWhy);
        client.queuePair().write(1, client.buffer, 0, 64, Peer.remote(server), 0, SIGNALED);
        client.nextOk();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void javaNioHasNone(boolean atTheListener) throws Exception {
        Peer nio = peer("shm=auto", "sockets=nio");
        Peer other = peer("shm=auto");

        Peer.connect(atTheListener ? other : nio, atTheListener ? nio : other);

        assertThat(nio.connection().transport()).contains("no shared memory (it needs sockets=libc)");
        assertThat(other.connection().transport()).contains("no shared memory (");
    }

    @ParameterizedTest
    @CsvSource({"auto, true", "off, false"})
    void tlsHasNone(String mode, boolean said) throws Exception {
        Peer client = peer("shm=" + mode);
        Peer server = peer("shm=" + mode);

        Secured.connect(client, server, "tls");

        for (Peer each : List.of(client, server)) {
            String transport = each.connection().transport();
            assertThat(transport).contains("TLSv1.3").doesNotContain("rings of");
            assertThat(transport.endsWith(", no shared memory (TLS excludes it)"))
                    .as(transport)
                    .isEqualTo(said);
        }
    }

    @Test
    void aFullQuotaIsNamedOnBothSides() throws Exception {
        Peer client = peer("shm=auto", "shm.max=1");
        Peer server = peer("shm=auto");
        Peer.connect(client, server);
        client.closeFirst(client.connection());
        server.closeFirst(server.connection());

        Peer.connect(client, server);

        assertThat(client.connection().transport())
                .contains("no shared memory (shm.max=1 connections of this context already use shared memory)");
        assertThat(server.connection().transport())
                .contains("no shared memory (the peer made no Offer of shared memory)");
    }

    @Test
    void aFullQuotaIsALackOfTheSideThatHasIt() throws Exception {
        Peer client = peer("shm=require", "shm.max=1");
        Peer server = peer("shm=auto");
        Peer.connect(client, server);
        client.closeFirst(client.connection());
        server.closeFirst(server.connection());
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            assertThatThrownBy(() -> client.verbs.connect(listener.localAddress(), client.config(), Peer.soon()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            refused -> assertThat(refused.reason()).isEqualTo(Reason.CLOSED))
                    .hasMessageContainingAll("shm=require", "shm.max=1 connections", "; remedy: ");
        }
    }

    @Test
    void peersElsewhereAreNotSpokenOf() throws Exception {
        Inet4Address outward = outward();
        assumeTrue(outward != null, "no address but loopback's");
        Peer client = peer("shm=auto");
        Peer server = peer("shm=auto");
        ConnectionConfig from = ConnectionConfig.defaults()
                .withLocalAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

        try (Listener listener = server.verbs.listen(new InetSocketAddress(outward, 0))) {
            Peer.connect(client, client.config(), server, server.config(), listener, from, queuePair -> {});
        }

        assertThat(client.connection().transport()).doesNotContain("shared memory");
        assertThat(server.connection().transport()).doesNotContain("shared memory");
    }

    private static @Nullable Inet4Address outward() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .map(Inet4Address.class::cast)
                .findFirst()
                .orElse(null);
    }

    @Test
    void aConnectionSaysOtherwiseThanItsContext() throws Exception {
        Peer client = peer("shm=off");
        Peer server = peer("shm=auto");
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Background<?> accepted = Background.start(() -> {
                server.connected(
                        listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon()));
                return 0;
            });
            ConnectionConfig config = ConnectionConfig.defaults().with("shm", "require");
            client.connected(client.verbs.connect(listener.localAddress(), client.config(), config, Peer.soon()));
            accepted.get();
        }

        assertThat(client.connection().transport()).contains("shared memory (rings");
    }

    @Test
    void whoRequiresItGetsNothingElse() {
        Peer client = peer("shm=require");
        Peer server = peer("shm=off");
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            assertThatThrownBy(() -> client.verbs.connect(listener.localAddress(), client.config(), Peer.soon()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            refused -> assertThat(refused.reason())
                                    .as("no retry mends it")
                                    .isEqualTo(Reason.NEGOTIATION))
                    .hasMessageContaining("shm=require")
                    .hasMessageContaining("no listener at that port offers shared memory")
                    .hasMessageContaining("remedy: ")
                    .hasMessageNotContaining("revision=1");
        }
    }

    @Test
    void aListenerThatRequiresItTakesNobodyElse() {
        Peer client = peer("shm=off");
        Peer server = peer("shm=require");
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            assertThatThrownBy(() -> client.verbs.connect(listener.localAddress(), client.config(), Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
        }
    }

    @Test
    void whoRequiresItNeedsSystemCalls() {
        Peer client = peer("shm=require", "sockets=nio");
        Peer server = peer("shm=auto");
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            assertThatThrownBy(() -> client.verbs.connect(listener.localAddress(), client.config(), Peer.soon()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            refused -> assertThat(refused.reason()).isEqualTo(Reason.NEGOTIATION))
                    .hasMessageContaining("it needs sockets=libc")
                    .hasMessageNotContaining("revision=1");
        }
    }

    /** The name is anybody's to take, and only says that somebody listens. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "require"})
    void aListenerWhoseHintIsTakenSharesMemory(String mode) throws Exception {
        int port;
        try (Listener free = peer("shm=off").verbs.listen(Raw.ANY_PORT)) {
            port = free.localAddress().getPort();
        }
        InetSocketAddress address = new InetSocketAddress(Raw.ANY_PORT.getAddress(), port);
        Hint taken = Objects.requireNonNull(Hint.bind(UnixName.ofAbstract("panama-verbs/1/" + port + "/127.0.0.1")));
        Peer server = peer("shm=" + mode);
        Peer client = peer("shm=require");
        try (Listener listener = server.verbs.listen(address)) {
            Background<Connection> connecting =
                    Background.start(() -> client.verbs.connect(listener.localAddress(), client.config(), Peer.soon()));
            try (Connection accepted = listener.poll(Peer.soon())
                            .orElseThrow()
                            .accept(server.config(), ConnectionConfig.defaults(), Peer.soon());
                    Connection connected = connecting.get()) {
                assertThat(accepted.transport()).contains("shared memory (rings of ");
                assertThat(connected.transport()).contains("shared memory (rings of ");
            }
        } finally {
            taken.close();
        }
    }

    @Test
    void aListenerThatRequiresItNeedsSystemCalls() {
        Peer requiring = peer("shm=require", "sockets=nio");
        assertThatThrownBy(() -> requiring.verbs.listen(Raw.ANY_PORT))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Reason.NEGOTIATION))
                .hasMessageContaining("it needs sockets=libc")
                .hasMessageNotContaining("ip addr");
    }

    @ParameterizedTest
    @CsvSource({"auto, libc, available, ''", "off, libc, available, ''", "auto, nio, unavailable, it needs sockets=libc"
    })
    void theDeviceSaysWhetherItIsThere(String mode, String sockets, String shm, String reason) {
        List<DeviceAttributes.Entry> said =
                peer("shm=" + mode, "sockets=" + sockets).verbs.attributes().device();

        assertThat(said)
                .extracting(entry -> Map.entry(entry.name(), entry.value()))
                .contains(Map.entry("shm", shm), Map.entry("shm_option", mode));
        assertThat(said)
                .filteredOn(entry -> entry.name().equals("shm_reason"))
                .extracting(DeviceAttributes.Entry::value)
                .isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
    }

    @Test
    void tlsExcludesIt() {
        Peer peer = peer("shm=require");
        TlsConfig tls = TlsConfig.of(TestCertificates.context(TestCertificates.SERVER));
        ConnectionConfig config = ConnectionConfig.defaults().withTls(tls);

        assertThatThrownBy(() -> peer.verbs.connect(Raw.ANY_PORT, peer.config(), config, Peer.soon()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shm=require and a TlsConfig");
        assertThatThrownBy(() -> peer.verbs.listen(
                        Raw.ANY_PORT, ListenerConfig.defaults().withTls(tls)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shm=require and a TlsConfig");
    }

    @ParameterizedTest
    @ValueSource(strings = {"background", "spin"})
    void anAbortIsAReset(String progress) throws Exception {
        Peer client = peer("shm=require", "progress=" + progress);
        Peer server = peer("shm=require", "progress=" + progress);
        Peer.connect(client, server);

        client.connection().close();

        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        Raw.await("the end", () -> {
            server.queue.poll(completions);
            return !server.connection().isConnected();
        });
        assertThat(server.connection().terminateCause().orElseThrow().reason()).isEqualTo(TerminateReason.PEER_RESET);
    }

    @Test
    void postingAndPollingAllocateNothing() throws Exception {
        Peer client = peer("shm=require", "progress=spin");
        Peer server = peer("shm=require", "progress=spin");
        Peer.connect(client, server);
        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        RemoteBuffer remote = Peer.remote(server);
        long local = client.buffer.checkedAddress(0, 4096);

        for (SendOpcode operation : List.of(SendOpcode.RDMA_WRITE, SendOpcode.RDMA_READ)) {
            WorkRequest request = WorkRequest.of(operation);
            long bytes = Allocation.bytesPerThousand(() -> {
                client.queuePair()
                        .post(request.opcode(operation)
                                .wrId(1)
                                .local(local, 4096, client.buffer.lkey())
                                .remote(remote.address(), remote.rkey())
                                .flags(SIGNALED));
                while (client.queue.poll(completions) == 0) {
                    server.queue.poll(completions);
                }
                if (!completions.get(0).ok()) {
                    throw new AssertionError(completions.get(0).toString());
                }
            });
            assertThat(bytes).as(operation + ": bytes per 1000 operations").isZero();
        }
    }

    @Test
    void nothingIsLeftOfConnections() throws Exception {
        Peer server = peer("shm=require");
        Peer client = peer("shm=require");
        Peer.connect(client, server);
        client.connection().close();
        server.connection().close();
        List<String> before = held();

        for (int i = 0; i < 50; i++) {
            Peer.connect(client, server);
            client.connection().disconnect(Peer.soon());
            server.connection().awaitDisconnect(Peer.soon());
            client.connection().close();
            server.connection().close();
        }

        Raw.await("the same descriptors and mappings", () -> held().size() <= before.size());
    }

    /** Returns the descriptors of this process, and its mappings for peers. */
    static List<String> held() {
        List<String> all = new ArrayList<>();
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"));
                Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            maps.filter(line -> line.contains("panama-verbs")).forEach(all::add);
            files.forEach(file -> all.add(file.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }
}
