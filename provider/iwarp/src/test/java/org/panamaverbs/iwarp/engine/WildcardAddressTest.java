package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.engine.transport.Addresses;

/** The address of a listener at the wildcard address is one to connect to: this host, whichever families it has. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class WildcardAddressTest {
    private static final List<String> NO_IPV6 = List.of(
            "unshare",
            "--map-root-user",
            "--net",
            "sh",
            "-c",
            "ip link set lo up && echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6 && exec \"$@\"",
            "sh");
    private static final List<String> IPV4_STACK = List.of("env", "JAVA_TOOL_OPTIONS=-Djava.net.preferIPv4Stack=true");

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void leadsToSharedMemory(String wildcard) throws Exception {
        assumeTrue(hasFamily(wildcard), "this host has no IPv6");
        try (Peer server = new Peer();
                Peer client = new Peer("shm=require")) {
            Connection connection = connected(server, client, wildcard);
            assertThat(connection.transport()).contains("shared memory (rings of");
            assertThat(connection.remoteAddress().getAddress().isLoopbackAddress())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void isReachedWhereTheSystemHasNoIpv6(String wildcard) throws Exception {
        assumeTrue(runs(NO_IPV6), "no network namespace can be made here");
        try (ChildProcess child = new ChildProcess(NO_IPV6, Program.class, wildcard)) {
            assertThat(child.value("remote=")).startsWith("127.0.0.1:");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void isOfIpv4WhereTheJdkIsToHaveNoOther(String wildcard) throws Exception {
        try (ChildProcess child = new ChildProcess(IPV4_STACK, Program.class, wildcard)) {
            assertThat(child.value("listens=")).startsWith("0.0.0.0:");
            assertThat(child.value("remote=")).startsWith("127.0.0.1:");
        }
    }

    /** Of either family: which one is needed, the peer's address says. */
    @ParameterizedTest
    @CsvSource({"0.0.0.0, ::1", "::, 127.0.0.1", "0.0.0.0, 127.0.0.1"})
    void isAnyToConnectFrom(String wildcard, String host) throws Exception {
        assumeTrue(NetworkInterface.getByInetAddress(InetAddress.ofLiteral(host)) != null, "this host lacks " + host);
        ConnectionConfig config =
                ConnectionConfig.defaults().withLocalAddress(new InetSocketAddress(InetAddress.ofLiteral(wildcard), 0));
        try (Peer server = new Peer();
                Peer client = new Peer();
                Listener listener = server.verbs.listen(new InetSocketAddress(InetAddress.ofLiteral(host), 0))) {
            Background<?> accepted = Background.start(() -> {
                server.connected(
                        listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon()));
                return 0;
            });
            client.connected(client.verbs.connect(listener.localAddress(), client.config(), config, Peer.soon()));
            accepted.get();
            assertThat(client.connection().localAddress().getAddress()).isEqualTo(InetAddress.ofLiteral(host));
        }
    }

    private static boolean hasFamily(String wildcard) throws SocketException {
        return !wildcard.equals("::") || NetworkInterface.getByInetAddress(InetAddress.ofLiteral("::1")) != null;
    }

    private static boolean runs(List<String> starter) throws InterruptedException {
        try {
            return new ProcessBuilder(Stream.concat(starter.stream(), Stream.of("true"))
                                    .toList())
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static Connection connected(Peer server, Peer client, String wildcard) throws InterruptedException {
        try (Listener listener = server.verbs.listen(new InetSocketAddress(InetAddress.ofLiteral(wildcard), 0))) {
            System.out.println("listens=" + Addresses.text(listener.localAddress()));
            Peer.connect(client, server, listener);
        }
        return client.connection();
    }

    /** Connects to a listener at the address that it is given, and says where it was. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            try (Peer server = new Peer();
                    Peer client = new Peer("shm=require")) {
                Connection connection = connected(server, client, arguments[0]);
                System.out.println("remote=" + Addresses.text(connection.remoteAddress()));
            }
        }
    }
}
