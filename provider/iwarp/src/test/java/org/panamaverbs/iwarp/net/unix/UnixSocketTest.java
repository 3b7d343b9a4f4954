package org.panamaverbs.iwarp.net.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Unix connections and their bytes. */
class UnixSocketTest extends UnixFixture {
    @Test
    void carriesOctetsUntilItEnds() throws IOException {
        try (UnixPair pair = UnixPair.open()) {
            assertThat(received(pair.right())).isEmpty();
            assertThat(pair.left().send(octets("token"))).isEqualTo(5);
            assertThat(received(pair.right())).isEqualTo("token");
            pair.left().close();
            assertThat(pair.right().receive(ByteBuffer.allocate(1))).isEqualTo(UnixSocket.END);
            assertThatThrownBy(() -> pair.right().send(octets("x")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("EPIPE");
        }
    }

    @Test
    void sendsAsMuchAsThereIsRoomFor() throws IOException {
        try (UnixPair pair = UnixPair.open()) {
            ByteBuffer much = ByteBuffer.allocate(16 << 20);
            int sent = pair.left().send(much);
            assertThat(sent).isPositive().isLessThan(much.capacity());
            assertThat(much.position()).isEqualTo(sent);
            assertThat(pair.left().send(octets("x"))).isZero();
        }
    }

    @Test
    void doesNotWaitForAFullBacklog() throws IOException {
        UnixName name = UnixPair.name();
        UnixServer server = UnixServer.listen(name, 1);
        List<UnixSocket> clients = new ArrayList<>();
        assertThatThrownBy(() -> {
                    while (clients.size() < 100) {
                        clients.add(UnixSocket.connect(name));
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("EAGAIN");
        clients.forEach(UnixSocket::close);
        server.close();
    }
}
