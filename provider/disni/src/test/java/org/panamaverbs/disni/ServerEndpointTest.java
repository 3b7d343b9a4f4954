package org.panamaverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who accepts at a server's endpoint hears that it is closed, by itself or with its group. */
@Timeout(60)
class ServerEndpointTest {
    private static void assertClosed(CompletableFuture<Endpoints.Active> accepting) {
        assertThatThrownBy(() -> accepting.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("accept", "closed");
    }

    @Test
    void acceptEndsWithItsEndpoint() throws Exception {
        try (Endpoints endpoints = new Endpoints()) {
            endpoints.connect();
            CompletableFuture<Endpoints.Active> accepting = endpoints.accepting();
            endpoints.server.close();
            assertClosed(accepting);
            assertThat(endpoints.server.isClosed()).isTrue();
            assertThatThrownBy(endpoints.server::accept).hasMessageContaining("closed");
        }
    }

    @Test
    void acceptEndsWithItsGroup() throws Exception {
        Endpoints endpoints = new Endpoints();
        CompletableFuture<Endpoints.Active> accepting = endpoints.accepting();
        endpoints.close();
        assertClosed(accepting);
    }

    @Test
    void aDeviceThatIsInUseIsNotClosedAndGoesOn() throws Exception {
        try (Endpoints endpoints = new Endpoints()) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(DisniExtensions::closeDevice)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("listener");
                endpoints.connect();
            }
        }
    }

    @Test
    void acceptBeforeBindSaysSo() throws Exception {
        try (Endpoints endpoints = new Endpoints()) {
            var unbound = endpoints.group.createServerEndpoint();
            assertThatThrownBy(unbound::accept).isInstanceOf(IOException.class).hasMessageContaining("bind");
            InetSocketAddress again = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            assertThatThrownBy(() -> endpoints.server.bind(again, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("bind");
            unbound.close();
        }
    }
}
