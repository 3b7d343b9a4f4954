package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.net.SystemSockets;

/** Link-local addresses of IPv6 that name no interface. */
@Timeout(60)
class LinkLocalAddressTest {
    /** Returns the own link-local addresses without their scopes. */
    private static List<InetAddress> own() throws Exception {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet6Address && address.isLinkLocalAddress())
                .map(address -> InetAddress.ofLiteral(address.getHostAddress().replaceFirst("%.*", "")))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"libc", "nio"})
    void oneThatOneInterfaceHasNeedsNoScope(String sockets) throws Exception {
        assumeTrue(!sockets.equals("libc") || SystemSockets.obstacle().isEmpty(), "system calls are not bound here");
        List<InetAddress> own = own();
        assumeTrue(own.size() == 1, "this machine has " + own.size() + " link-local addresses");
        try (Peer server = new Peer("sockets=" + sockets);
                Peer client = new Peer("sockets=" + sockets);
                Listener listener = server.verbs.listen(new InetSocketAddress(own.getFirst(), 0))) {
            int port = listener.localAddress().getPort();
            Background<?> accepted = Background.start(() -> {
                server.connected(
                        listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon()));
                return 0;
            });
            client.connected(
                    client.verbs.connect(new InetSocketAddress(own.getFirst(), port), client.config(), Peer.soon()));
            accepted.get();
            assertThat(client.connection().remoteAddress().getAddress()).isEqualTo(own.getFirst());
        }
    }
}
