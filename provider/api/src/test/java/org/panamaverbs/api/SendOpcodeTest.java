package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;

/** What the rows of {@link SendOpcode} say goes together. */
class SendOpcodeTest {
    /** As ibv_post_send(3), RFC 5040 and RFC 7306 have it: kind, right at the peer, what completes, on UC or not. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            SEND,                      transfer, -,             SEND,             UC
            SEND_WITH_INVALIDATE,      transfer, -,             SEND,             UC
            SEND_WITH_IMMEDIATE,       transfer, -,             SEND,             UC
            RDMA_WRITE,                transfer, REMOTE_WRITE,  RDMA_WRITE,       UC
            RDMA_WRITE_WITH_IMMEDIATE, transfer, REMOTE_WRITE,  RDMA_WRITE,       UC
            RDMA_READ,                 transfer, REMOTE_READ,   RDMA_READ,        -
            IMMEDIATE,                 transfer, -,             IMMEDIATE,        UC
            FETCH_ADD,                 atomic,   REMOTE_ATOMIC, FETCH_ADD,        -
            CMP_SWAP,                  atomic,   REMOTE_ATOMIC, CMP_SWAP,         -
            MASKED_FETCH_ADD,          atomic,   REMOTE_ATOMIC, FETCH_ADD,        -
            MASKED_CMP_SWAP,           atomic,   REMOTE_ATOMIC, CMP_SWAP,         -
            LOCAL_INVALIDATE,          local,    -,             LOCAL_INVALIDATE, UC
            BIND_WINDOW,               local,    -,             BIND_WINDOW,      UC
            """)
    void rowIsAsTheStandardsHaveIt(
            SendOpcode operation,
            String kind,
            @Nullable Access right,
            WcOpcode completion,
            @Nullable String unreliable) {
        assertThat(List.of(operation.isTransfer(), operation.isAtomic(), operation.isLocal()))
                .containsExactly(kind.equals("transfer"), kind.equals("atomic"), kind.equals("local"));
        assertThat(operation.remoteAccess()).isEqualTo(right);
        assertThat(operation.completion()).isEqualTo(completion);
        assertThat(operation.isAnswered()).isEqualTo(unreliable == null);
        assertThat(QueuePairType.UC.sendOpcodes().contains(operation)).isEqualTo(unreliable != null);
    }

    @Test
    void everyOperationHasARowAbove() {
        assertThat(SendOpcode.values()).hasSize(13);
    }

    @Test
    void oneOfTheFeaturesOfAnOperationIsEnough() {
        Capabilities none = Capabilities.builder().build();
        Capabilities second = Capabilities.builder()
                .features(EnumSet.of(Feature.MEMORY_WINDOW_TYPE_2))
                .build();
        assertThat(none.has(SendOpcode.RDMA_READ)).isTrue();
        assertThat(second.has(SendOpcode.BIND_WINDOW)).isTrue();
        assertThat(none.has(SendOpcode.BIND_WINDOW)).isFalse();
        assertThatCode(() -> second.require(SendOpcode.BIND_WINDOW, "mlx5_0")).doesNotThrowAnyException();
        assertThatThrownBy(() -> none.require(SendOpcode.CMP_SWAP, "mlx5_0"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageStartingWith("device mlx5_0 lacks ATOMICS; remedy: ");
    }
}
