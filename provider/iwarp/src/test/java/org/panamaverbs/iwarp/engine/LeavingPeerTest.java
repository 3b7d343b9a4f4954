package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.iwarp.engine.cm.Acceptor;
import org.panamaverbs.iwarp.engine.cm.IwarpConnectionRequest;
import org.panamaverbs.iwarp.engine.cm.IwarpListener;
import org.panamaverbs.iwarp.engine.transport.Addresses;
import org.panamaverbs.iwarp.wire.Samples;

/** Peers that leave between their request and the answer. */
@Timeout(60)
class LeavingPeerTest {
    private final Peer server = new Peer();

    @AfterEach
    void close() {
        server.close();
    }

    private static Socket asking(Listener listener) throws Exception {
        Socket socket = Raw.connect(listener.localAddress(), "127.0.0.1");
        socket.getOutputStream().write(Samples.bytes("M04"));
        return socket;
    }

    private static void leave(Socket socket, String how) throws Exception {
        switch (how) {
            case "FIN" -> socket.close();
            case "reset" -> Raw.reset(socket);
            default -> socket.getOutputStream().write(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"FIN", "reset", "byte behind the request"})
    void freesThePlaceInTheBacklog(String how) throws Exception {
        try (Listener listener = server.verbs.listen(
                        Raw.ANY_PORT, ListenerConfig.defaults().withBacklog(1));
                Socket first = asking(listener)) {
            Acceptor acceptor = ((IwarpListener) listener).acceptor();
            Raw.await("the request", acceptor::hasRequest);
            leave(first, how);
            Raw.await("that it is dropped", () -> !acceptor.hasRequest());

            try (Socket second = asking(listener);
                    ConnectionRequest request = listener.accept(Peer.soon())) {
                assertThat(request.remoteAddress()).isEqualTo(second.getLocalSocketAddress());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"FIN", "reset", "byte behind the request"})
    void isNamedWhenItsRequestIsAccepted(String how) throws Exception {
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Socket socket = asking(listener)) {
            ConnectionRequest request = listener.accept(Peer.soon());
            String peer = Addresses.text(request.remoteAddress());
            leave(socket, how);
            Raw.await("that it is noticed", ((IwarpConnectionRequest) request)::peerLeft);

            assertThatThrownBy(() -> request.accept(server.config(), ConnectionConfig.defaults(), Peer.soon()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            gone -> assertThat(gone.reason()).isEqualTo(Reason.RESET))
                    .hasMessageContaining(peer);
        }
    }

    @Test
    void aRequestOfAPeerThatLeftIsRejectedWithoutAnError() throws Exception {
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Socket socket = asking(listener);
                ConnectionRequest request = listener.accept(Peer.soon())) {
            Raw.reset(socket);
            Raw.await("that it is noticed", ((IwarpConnectionRequest) request)::peerLeft);

            request.reject(new byte[] {1});

            assertThatThrownBy(() -> request.reject(new byte[0])).isInstanceOf(IllegalStateException.class);
        }
    }
}
