package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;

/** What the rows of {@link SendOpcode} say goes together. */
class SendOpcodeTest {
    @ParameterizedTest
    @EnumSource
    void operationIsATransferAnAtomicOrLocal(SendOpcode operation) {
        assertThat(Stream.of(operation.isTransfer(), operation.isAtomic(), operation.isLocal())
                        .filter(each -> each))
                .hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void onlyWhatThePeerAnswersBringsBytes(SendOpcode operation) {
        assertThat(operation.completion().hasByteCount()).isEqualTo(operation.isAnswered());
        assertThat(operation.carriesPayload() && operation.isAnswered()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void rightAtThePeerFollowsFromWhatIsDoneThere(SendOpcode operation) {
        Access right = operation.remoteAccess();
        assertThat(right == Access.REMOTE_ATOMIC).isEqualTo(operation.isAtomic());
        assertThat(right == Access.REMOTE_READ || right == Access.REMOTE_ATOMIC).isEqualTo(operation.isAnswered());
        assertThat(operation.isLocal() && right != null).isFalse();
    }

    /** As ibv_post_send(3) has it. */
    @ParameterizedTest
    @EnumSource
    void unreliableConnectionsPostWhatIsNotAnswered(SendOpcode operation) {
        assertThat(QueuePairType.UC.sendOpcodes().contains(operation)).isNotEqualTo(operation.isAnswered());
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
