package org.panamaverbs.iwarp.engine;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.Stream;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.iwarp.TestCertificates;
import org.panamaverbs.iwarp.net.SystemSockets;

/** Options of a test in one text, of which {@code tls} is for its connections. */
final class Secured {
    private Secured() {}

    /** Returns the options in {@code text} that are the provider's; the test is left out where they cannot be had. */
    static String[] options(String text) {
        assumeTrue(
                (!text.contains("libc") && !text.contains("shm"))
                        || SystemSockets.best().name().equals("libc"),
                "the C library cannot be called here");
        return Stream.of(text.split(" "))
                .filter(option -> !option.equals("tls"))
                .toArray(String[]::new);
    }

    /** Connects {@code client} to {@code server}, with TLS if {@code text} says so. */
    static void connect(Peer client, Peer server, String text) throws InterruptedException {
        ConnectionConfig connecting = ConnectionConfig.defaults();
        ListenerConfig listening = ListenerConfig.defaults();
        if (text.contains("tls")) {
            connecting = connecting.withTls(TlsConfig.of(TestCertificates.context(null)));
            listening = listening.withTls(TlsConfig.of(TestCertificates.context(TestCertificates.SERVER)));
        }
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT, listening)) {
            Background<Connection> accepted = Background.start(() -> {
                ConnectionRequest request = listener.accept(Peer.soon());
                return request.accept(server.config(), ConnectionConfig.defaults(), Peer.soon());
            });
            client.connected(client.verbs.connect(listener.localAddress(), client.config(), connecting, Peer.soon()));
            server.connected(accepted.get());
        }
    }
}
