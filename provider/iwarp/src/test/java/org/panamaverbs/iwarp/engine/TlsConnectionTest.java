package org.panamaverbs.iwarp.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.panamaverbs.iwarp.TestCertificates.CLIENT;
import static org.panamaverbs.iwarp.TestCertificates.ELSEWHERE;
import static org.panamaverbs.iwarp.TestCertificates.EXPIRED;
import static org.panamaverbs.iwarp.TestCertificates.SERVER;
import static org.panamaverbs.iwarp.TestCertificates.STRANGER;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.api.cm.TlsConfig.ClientAuthentication;
import org.panamaverbs.iwarp.TestCertificates;
import org.panamaverbs.testkit.Requirement;

/** TLS between two sides that both want it, and what becomes of it where they do not agree. */
@Timeout(120)
class TlsConnectionTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final Peer client = new Peer();
    private final Peer server = new Peer("linger=10s");

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static TlsConfig tls(@Nullable String who) {
        return TlsConfig.of(TestCertificates.context(who));
    }

    private static ConnectionConfig connecting(TlsConfig tls) {
        return ConnectionConfig.defaults().withTls(tls);
    }

    private Listener listen(TlsConfig tls) {
        return server.verbs.listen(ANY_PORT, ListenerConfig.defaults().withTls(tls));
    }

    private Background<Connection> accepting(Listener listener) {
        return Background.start(() -> {
            ConnectionRequest request = listener.accept(Peer.soon());
            return request.accept(server.config(), ConnectionConfig.defaults(), Peer.soon());
        });
    }

    private ConnectionException failure(Listener listener, ConnectionConfig config) {
        return catchThrowableOfType(
                ConnectionException.class,
                () -> client.verbs.connect(listener.localAddress(), client.config(), config, Peer.soon()));
    }

    private void refused(Listener listener, ConnectionConfig config, String... words) {
        assertThat(failure(listener, config))
                .hasMessageContainingAll(words)
                .satisfies(failed -> assertThat(failed.reason()).isEqualTo(Reason.SECURITY));
        assertThat(listener.poll(Deadline.now())).isEmpty();
    }

    // ---- agreed ---------------------------------------------------------------------------------------------------

    @Test
    @Requirement("DDP-8.4-01")
    void showsBothSidesWhoThePeerIs() throws Exception {
        TlsConfig listening = tls(SERVER).withClientAuthentication(ClientAuthentication.NEED);
        try (Listener listener = listen(listening)) {
            Background<Connection> accepted = Background.start(() -> {
                ConnectionRequest request = listener.accept(Peer.soon());
                assertThat(name(request.tlsSession().orElseThrow())).isEqualTo("CN=" + CLIENT);
                return request.accept(server.config(), ConnectionConfig.defaults(), Peer.soon());
            });
            try (Connection ours = client.verbs.connect(
                            listener.localAddress(), client.config(), connecting(tls(CLIENT)), Peer.soon());
                    Connection theirs = accepted.get()) {
                assertThat(name(ours.tlsSession().orElseThrow())).isEqualTo("CN=" + SERVER);
                assertThat(name(theirs.tlsSession().orElseThrow())).isEqualTo("CN=" + CLIENT);
                assertThat(ours.transport()).contains("MPA rev 2", "TLSv1.3 TLS_");

                ours.disconnect(Peer.soon());
                assertThat(theirs.awaitDisconnect(Peer.soon())).isTrue();
                assertThat(theirs.terminateCause()).as("a graceful end").isEmpty();
            }
        }
    }

    private static String name(SSLSession session) throws Exception {
        return ((X509Certificate) session.getPeerCertificates()[0])
                .getSubjectX500Principal()
                .getName();
    }

    @Test
    void plainConnectionsHaveNoSession() throws Exception {
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            Background<Connection> accepted = accepting(listener);
            try (Connection ours = client.verbs.connect(listener.localAddress(), client.config(), Peer.soon());
                    Connection theirs = accepted.get()) {
                assertThat(ours.tlsSession()).isEmpty();
                assertThat(theirs.tlsSession()).isEmpty();
                assertThat(ours.transport()).doesNotContain("TLS");
            }
        }
    }

    // ---- one side alone -------------------------------------------------------------------------------------------

    @Test
    void tellsAPeerWithoutTlsThatItIsDemanded() {
        try (Listener listener = listen(tls(SERVER))) {
            refused(listener, ConnectionConfig.defaults(), "demands TLS", "ConnectionConfig", "withTls");
        }
    }

    @Test
    void tellsThatTheListenerHasNoTls() {
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            refused(listener, connecting(tls(null)), "ListenerConfig", "withTls", "without");
        }
    }

    @Test
    void refusesTlsForOneThatIsAccepted() throws Exception {
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            Background<ConnectionException> asked =
                    Background.start(() -> failure(listener, ConnectionConfig.defaults()));
            ConnectionRequest request = listener.accept(Peer.soon());

            assertThatThrownBy(() -> request.accept(server.config(), connecting(tls(SERVER)), Peer.soon()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ListenerConfig.withTls");

            request.reject(new byte[0]);
            assertThat(asked.get().reason()).isEqualTo(Reason.REJECTED);
        }
    }

    // ---- certificates ---------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({EXPIRED + ", expired", ELSEWHERE + ", another host", STRANGER + ", not trusted"})
    void refusesTheListenersCertificate(String who, String why) {
        try (Listener listener = listen(tls(who))) {
            refused(listener, connecting(tls(null)), "no TLS with", why);
        }
    }

    @Test
    void takesAnotherHostsCertificateOnlyWhenTold() throws Exception {
        SSLParameters anyHost = new SSLParameters();
        anyHost.setEndpointIdentificationAlgorithm("");
        try (Listener listener = listen(tls(ELSEWHERE))) {
            Background<Connection> accepted = accepting(listener);
            ConnectionConfig config = connecting(tls(null).withParameters(anyHost));
            try (Connection ours = client.verbs.connect(listener.localAddress(), client.config(), config, Peer.soon());
                    Connection theirs = accepted.get()) {
                assertThat(ours.isConnected()).isTrue();
                assertThat(theirs.isConnected()).isTrue();
            }
        }
    }

    @Test
    void refusesAPeerWithoutTheCertificateItNeeds() {
        TlsConfig listening = tls(SERVER).withClientAuthentication(ClientAuthentication.NEED);
        try (Listener listener = listen(listening)) {
            refused(listener, connecting(tls(null)), "certificate", "key manager");
            refused(listener, connecting(TlsConfig.of(TestCertificates.context(STRANGER))), "certificate");
        }
    }

    @Test
    void takesAPeerWithoutTheCertificateItWants() throws Exception {
        TlsConfig listening = tls(SERVER).withClientAuthentication(ClientAuthentication.WANT);
        try (Listener listener = listen(listening)) {
            Background<Connection> accepted = accepting(listener);
            try (Connection ours = client.verbs.connect(
                            listener.localAddress(), client.config(), connecting(tls(null)), Peer.soon());
                    Connection theirs = accepted.get()) {
                assertThat(ours.isConnected()).isTrue();
                assertThatThrownBy(() -> name(theirs.tlsSession().orElseThrow()))
                        .isInstanceOf(javax.net.ssl.SSLPeerUnverifiedException.class);
            }
        }
    }

    @Test
    void saysThatNothingSuitsBoth() {
        try (Listener listener = listen(tls(null))) {
            refused(listener, connecting(tls(null)), "nothing in common");
        }
    }

    // ---- the loop -------------------------------------------------------------------------------------------------

    @Test
    void slowTrustManagerKeepsNobodyElseWaiting() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        TrustManager slow = new SlowTrust(asked, answer);
        try (Listener secure = listen(tls(SERVER));
                Listener plain = server.verbs.listen(ANY_PORT)) {
            ConnectionConfig config = connecting(TlsConfig.of(TestCertificates.context(null, slow)));
            Background<Connection> acceptedLate = accepting(secure);
            Background<Connection> late = Background.start(
                    () -> client.verbs.connect(secure.localAddress(), client.config(), config, Peer.soon()));
            asked.await();
            Background<Connection> accepted = accepting(plain);
            try (Connection ours = client.verbs.connect(plain.localAddress(), client.config(), Peer.soon());
                    Connection theirs = accepted.get()) {
                assertThat(ours.isConnected()).isTrue();
                assertThat(theirs.isConnected()).isTrue();
            }
            answer.countDown();
            late.get().close();
            acceptedLate.get().close();
        }
    }

    @Test
    void trustManagerThatNeverAnswersCountsInTheDeadline() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        SlowTrust slow = new SlowTrust(asked, never);
        try (Listener listener = listen(tls(SERVER))) {
            ConnectionConfig config = connecting(TlsConfig.of(TestCertificates.context(null, slow)));
            // On a busy machine a short time may be over before the trust manager is asked.
            for (int millis = 500; asked.getCount() > 0; millis *= 2) {
                Deadline deadline = Deadline.in(millis, MILLISECONDS);
                assertThatThrownBy(
                                () -> client.verbs.connect(listener.localAddress(), client.config(), config, deadline))
                        .isInstanceOf(DeadlineExceededException.class);
            }
            slow.interrupted.await();
        }
    }

    @Test
    void silentPeerHasItsTimeForTlsAndNoMore() throws Exception {
        try (Peer strict = new Peer("handshake.timeout=200ms", "linger=200ms");
                Listener listener =
                        strict.verbs.listen(ANY_PORT, ListenerConfig.defaults().withTls(tls(SERVER)));
                Socket silent = new Socket(
                        InetAddress.getLoopbackAddress(),
                        listener.localAddress().getPort())) {
            // The first bytes of a ClientHello, and no more.
            silent.getOutputStream().write(new byte[] {0x16, 0x03, 0x01, 0x02, 0x00, 0x01});
            silent.setSoTimeout(20_000);

            assertThat(silent.getInputStream().read()).isNegative();
        }
    }

    /** A trust manager that trusts everybody, once it is told to. */
    private static final class SlowTrust implements X509TrustManager {
        private final CountDownLatch asked;
        private final CountDownLatch answer;
        private final CountDownLatch interrupted = new CountDownLatch(1);

        SlowTrust(CountDownLatch asked, CountDownLatch answer) {
            this.asked = asked;
            this.answer = answer;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            throw new IllegalStateException("no client has a certificate here");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            asked.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw new IllegalStateException(e);
            }
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
