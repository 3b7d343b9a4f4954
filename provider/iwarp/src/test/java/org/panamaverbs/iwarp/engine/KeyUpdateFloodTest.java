package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.Provider;
import java.security.Security;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.iwarp.engine.transport.TlsLimits;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.testkit.Requirement;

/** Records full of key updates, which RFC 8446 §5.1 forbids and the JDK takes: one can keep a thread for long. */
@Timeout(120)
class KeyUpdateFloodTest {
    private static final int FULL = 3270;
    private final Provider forging = new ForgingProvider();

    @BeforeEach
    void forge() {
        assertThat(Security.insertProviderAt(forging, 1)).isOne();
    }

    @AfterEach
    void forgeNoMore() {
        Security.removeProvider(forging.getName());
    }

    private static void toServer(TlsLink link, byte[] data) throws IOException {
        TlsLink.write(link.client, data);
        for (int moved = 0; moved < data.length; ) {
            moved += link.toServer();
        }
    }

    private static int read(Transport from) throws IOException {
        int octets = 0;
        for (long i = 0; octets == 0; i++) {
            octets = from.read(ByteBuffer.allocate(1000));
            TlsLink.bound(i);
        }
        return octets;
    }

    @Test
    @Requirement("SEC-6.4.2-01")
    void aLongRecordIsNotLookedAtBeforeTheRequestIsAnswered() throws Exception {
        try (TlsLink link = new TlsLink(60_000).open()) {
            toServer(link, ForgingProvider.keyUpdates(FULL));

            assertThatThrownBy(() -> read(link.server))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("before it was answered");
        }
    }

    @Test
    void anMpaRequestIsNotTooLong() throws Exception {
        try (TlsLink link = new TlsLink(60_000).open()) {
            toServer(link, new byte[532]);

            assertThat(read(link.server)).isEqualTo(532);
        }
    }

    @Test
    void oneRecordOfKeyUpdatesIsTheLast() throws Exception {
        try (TlsLink link = new TlsLink(60_000).open()) {
            link.server.established();
            toServer(link, ForgingProvider.keyUpdates(10));

            assertThatThrownBy(() -> read(link.server))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("bytes without data");
        }
    }

    // A forger that has sent one such record would need the keys of the last update in it for the next.
    @Test
    void aServerHasAsManyLongRecordsWithoutDataAsTickets() throws Exception {
        SSLEngineResult ticket = new SSLEngineResult(Status.OK, HandshakeStatus.NOT_HANDSHAKING, 1400, 0);
        TlsLimits limits = new TlsLimits();
        for (int i = 0; i < 4; i++) {
            limits.count(ticket, true);
        }

        assertThatThrownBy(() -> limits.count(ticket, true))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("1400 bytes without data");
    }
}
