package org.panamaverbs.ibverbs.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.bindings.rdmacm.rdma_conn_param;
import org.panamaverbs.spi.support.Limits;

class ConnectionParametersTest {
    private static final ConnectionConfig FITS = ConnectionConfig.defaults().withDepths(16, 8);

    @Test
    void encodesAsC() {
        byte[] data = {1, 2, 3};
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = new ConnectionParameters(
                            FITS.withPrivateData(data).withRetries(5, 6), 200, 3)
                    .encode(0x123456, true, arena);
            assertThat(rdma_conn_param.private_data(encoded).reinterpret(3).toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(data);
            assertThat(rdma_conn_param.private_data_len(encoded)).isEqualTo((byte) 3);
            assertThat(Byte.toUnsignedInt(rdma_conn_param.responder_resources(encoded)))
                    .isEqualTo(200);
            assertThat(rdma_conn_param.initiator_depth(encoded)).isEqualTo((byte) 3);
            assertThat(rdma_conn_param.retry_count(encoded)).isEqualTo((byte) 5);
            assertThat(rdma_conn_param.rnr_retry_count(encoded)).isEqualTo((byte) 6);
            assertThat(rdma_conn_param.srq(encoded)).isEqualTo((byte) 1);
            assertThat(rdma_conn_param.qp_num(encoded)).isEqualTo(0x123456);
        }
    }

    @Test
    void takesWhatTheDeviceCan() {
        assertThatCode(() -> ConnectionParameters.check(FITS.withPrivateData(new byte[56]), limits()))
                .doesNotThrowAnyException();
    }

    /** A reply has room for more than a request. */
    @Test
    void takesMorePrivateDataOfWhoAccepts() {
        assertThatCode(() -> ConnectionParameters.checkAccepted(FITS.withPrivateData(new byte[196]), limits()))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> ConnectionParameters.checkAccepted(FITS.withPrivateData(new byte[197]), limits()))
                .hasMessage("private data must be 0 to 196 bytes here, got 197");
    }

    @Test
    void refusesWhatTheDeviceCannot() {
        refuses(FITS.withPrivateData(new byte[57]), "0 to 56", "57");
        refuses(FITS.withDepths(17, 8), "responderResources", "0 to 16", "17");
        refuses(FITS.withDepths(16, 9), "initiatorDepth", "0 to 8", "9");
        refuses(FITS.withDepths(-1, 8), "responderResources", "-1");
        refuses(FITS.withRetries(8, 7), "retryCount", "0 to 7");
        refuses(FITS.withRetries(7, 8), "rnrRetryCount", "0 to 7");
        refuses(FITS.withTypeOfService(256), "typeOfService", "0 to 255");
        refuses(FITS.with("draft.swap", "on"), "provider ibverbs has no connection option draft.swap", "it has none");
    }

    private static void refuses(ConnectionConfig config, String... words) {
        assertThatThrownBy(() -> ConnectionParameters.check(config, limits()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }

    private static Limits limits() {
        return new Limits(
                Capabilities.builder()
                        .maxQp(64)
                        .maxQpWr(64)
                        .maxSge(4)
                        .maxSgeRead(1)
                        .maxCq(64)
                        .maxCqe(64)
                        .maxMr(64)
                        .maxMrBytes(1L << 20)
                        .maxPd(8)
                        .maxInitiatorDepth(8)
                        .maxResponderResources(16)
                        .maxMessageBytes(1L << 20)
                        .maxPrivateData(56)
                        .maxAcceptPrivateData(196)
                        .immediateBytes(4)
                        .build(),
                "siw0");
    }
}
