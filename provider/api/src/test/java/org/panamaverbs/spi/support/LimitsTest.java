package org.panamaverbs.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;

class LimitsTest {
    private static final Limits LIMITS = of();

    private static Limits of(Feature... features) {
        return new Limits(
                Capabilities.builder()
                        .maxQp(1)
                        .maxQpWr(64)
                        .maxSge(4)
                        .maxSgeRead(1)
                        .maxInlineBytes(80)
                        .maxCq(1)
                        .maxCqe(128)
                        .maxMr(1)
                        .maxMrBytes(1L << 20)
                        .maxPd(1)
                        .maxSrq(1)
                        .maxSrqWr(32)
                        .maxInitiatorDepth(8)
                        .maxResponderResources(16)
                        .maxMessageBytes(1L << 20)
                        .maxPrivateData(56)
                        .immediateBytes(4)
                        .queuePairTypes(Set.of(QueuePairType.RC))
                        .features(Set.of(features))
                        .build(),
                "siw0");
    }

    @Test
    void takesBothEndsOfARangeAndNamesThemBeyond() {
        assertThat(LIMITS.checked("count", 2, 2, 5)).isEqualTo(2);
        assertThat(LIMITS.checked("count", 5, 2, 5)).isEqualTo(5);
        for (int beyond : new int[] {1, 6}) {
            assertThatThrownBy(() -> LIMITS.checked("count", beyond, 2, 5))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("count must be 2 to 5 on device siw0, got " + beyond);
        }
    }

    @Test
    void completionQueueHoldsOneToWhatTheDeviceHolds() {
        assertThat(LIMITS.completions(128)).isEqualTo(128);
        assertThatThrownBy(() -> LIMITS.completions(0)).hasMessageContaining("capacity must be 1 to 128");
        assertThatThrownBy(() -> LIMITS.completions(129)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sharedReceiveQueueNeedsItsFeatureAndItsSizes() {
        assertThatThrownBy(() -> LIMITS.check(SharedReceiveQueueConfig.of(32).withSge(4)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll("siw0", "SHARED_RECEIVE_QUEUE");
        Limits shared = of(Feature.SHARED_RECEIVE_QUEUE);
        assertThatCode(() -> shared.check(SharedReceiveQueueConfig.of(32).withSge(4)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> shared.check(SharedReceiveQueueConfig.of(33).withSge(4)))
                .hasMessageContainingAll("maxWr", "1 to 32");
        assertThatThrownBy(() -> shared.check(SharedReceiveQueueConfig.of(32).withSge(5)))
                .hasMessageContainingAll("maxSge", "1 to 4");
    }

    @Test
    void connectionHasItsDepthsRetriesAndTypeOfService() {
        ConnectionConfig fits = ConnectionConfig.defaults().withDepths(16, 8);
        assertThatCode(() -> LIMITS.check(fits)).doesNotThrowAnyException();
        refuses(fits.withDepths(17, 8), "responderResources must be 0 to 16 on device siw0, got 17");
        refuses(fits.withDepths(16, 9), "initiatorDepth must be 0 to 8 on device siw0, got 9");
        refuses(fits.withRetries(8, 7), "retryCount must be 0 to 7 on device siw0, got 8");
        refuses(fits.withRetries(7, -1), "rnrRetryCount must be 0 to 7 on device siw0, got -1");
        refuses(fits.withTypeOfService(256), "typeOfService must be 0 to 255 on device siw0, got 256");
    }

    private static void refuses(ConnectionConfig config, String message) {
        assertThatThrownBy(() -> LIMITS.check(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void tlsNeedsItsFeatureAndIsTheListenersToDemand() throws NoSuchAlgorithmException {
        TlsConfig tls = TlsConfig.of(SSLContext.getDefault());
        ConnectionConfig connecting =
                ConnectionConfig.defaults().withDepths(1, 1).withTls(tls);
        ListenerConfig listening = ListenerConfig.defaults().withTls(tls);
        for (ThrowingCallable check : List.<ThrowingCallable>of(
                () -> LIMITS.check(connecting),
                () -> LIMITS.checkAccepted(connecting),
                () -> LIMITS.check(listening))) {
            assertThatThrownBy(check)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContainingAll("siw0", "TLS");
        }
        Limits has = of(Feature.TLS);
        has.check(connecting);
        has.check(listening);
        assertThatThrownBy(() -> has.checkAccepted(connecting))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ListenerConfig.withTls");
    }

    @Test
    void listenerHasRoomForOneRequest() {
        LIMITS.check(ListenerConfig.defaults().withBacklog(1));
        assertThatThrownBy(() -> LIMITS.check(ListenerConfig.defaults().withBacklog(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("backlog", "siw0", "got 0");
    }

    @Test
    void privateDataHaveTheNumberThatIsLeft() {
        assertThatCode(() -> Limits.checkPrivateData(new byte[56], 56)).doesNotThrowAnyException();
        assertThatThrownBy(() -> Limits.checkPrivateData(new byte[57], 56)).hasMessageContainingAll("0 to 56", "57");
    }

    @Test
    void namesTheKindOfWindowThatIsMissing() {
        Limits limits = of(Feature.MEMORY_WINDOW_TYPE_2);

        limits.require(MemoryWindow.Type.TYPE_2);
        assertThatThrownBy(() -> limits.require(MemoryWindow.Type.TYPE_1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll("siw0", "MEMORY_WINDOW_TYPE_1");
    }
}
