package org.panamaverbs.ibverbs.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairAttributes.Field;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairFlag;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.Waits;

/** Create flags and ports of queue pairs: kept by mlx5, refused by name where the device lacks them. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // each test opens first
class CreateFlagsOverZooTest {
    private static final ValueLayout.OfShort NETWORK = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int ADDRESSES = 12;
    private static final int FRAME = 64;
    private static final int RECEIVED_AT = 1024;
    private static final int TAG = 0x2123;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Verbs verbs;
    private ProtectionDomain domain;

    @BeforeEach
    void requireZoo() {
        Zoo zoo = new Zoo.Mlx5();
        assumeTrue(zoo.missing().isEmpty(), () -> zoo.missing().orElse(""));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T add(T made) {
        opened.add(made);
        return made;
    }

    private void open(Zoo zoo) {
        verbs = add(zoo.openA());
        domain = add(verbs.protectionDomain());
    }

    @ParameterizedTest
    @EnumSource(QueuePairFlag.class)
    void mlx5KeepsTheFlag(QueuePairFlag flag) {
        open(new Zoo.Mlx5());
        CompletionQueue queue = add(verbs.completionQueue(CompletionQueueConfig.of(16)));
        QueuePairConfig config = QueuePairConfig.of(domain, queue)
                .withType(flag.type())
                .withInline(0)
                .withFlags(flag);
        assertThat(add(domain.queuePair(config)).config().flags()).containsExactly(flag);

        QueuePairConfig reliable = config.withType(QueuePairType.RC);
        assertThatThrownBy(() -> domain.queuePair(reliable))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("flag " + flag)
                .hasMessageContaining("remedy: ");
    }

    @ParameterizedTest
    @EnumSource(QueuePairFlag.class)
    void efaRefusesTheFlagByName(QueuePairFlag flag) {
        open(new Zoo.Efa());
        CompletionQueue queue = add(verbs.completionQueue(CompletionQueueConfig.of(16)));
        QueuePairConfig config = QueuePairConfig.of(domain, queue)
                .withType(QueuePairType.UD)
                .withDepth(4, 4)
                .withSge(1, 1)
                .withInline(0)
                .withFlags(flag);
        assertThatThrownBy(() -> domain.queuePair(config))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("efa_0")
                .hasMessageContaining(flag.name())
                .hasMessageContaining("remedy: ");
    }

    /** The tag is in the completion where it was asked for, and in the frame elsewhere. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void vlanTagIsTakenOff(boolean strips) {
        open(new Zoo.Mlx5());
        CompletionQueue queue =
                add(verbs.completionQueue(CompletionQueueConfig.of(16).withFields(WcField.CVLAN, WcField.BYTE_COUNT)));
        RegisteredBuffer memory = add(domain.allocate(4096, Access.LOCAL_WRITE));
        QueuePairConfig config = QueuePairConfig.of(domain, queue)
                .withType(QueuePairType.RAW_PACKET)
                .withDepth(4, 4)
                .withSge(1, 1)
                .withInline(0);
        QueuePair sender = ready(config);
        QueuePair receiver = ready(strips ? config.withFlags(QueuePairFlag.CVLAN_STRIPPING) : config);
        for (int i = 0; i < FRAME; i++) {
            memory.segment().set(ValueLayout.JAVA_BYTE, i, (byte) i);
        }
        memory.segment().set(NETWORK, ADDRESSES, (short) 0x8100);
        memory.segment().set(NETWORK, ADDRESSES + 2, (short) TAG);
        PostStatus.check(receiver.recv(1, memory, RECEIVED_AT, 256));
        PostStatus.check(sender.send(2, memory, 0, FRAME, SendFlag.SIGNALED));

        WorkCompletions completions = WorkCompletions.ofCapacity(4);
        int received = -1;
        for (int polled = 0; polled < 2; ) {
            int count = queue.poll(completions, Waits.deadline());
            for (int i = 0; i < count; i++) {
                assertThat(completions.get(i).ok()).as("%s", completions.get(i)).isTrue();
                if (completions.get(i).opcode() == WcOpcode.RECV) {
                    received = (int) completions.get(i).byteCount();
                    assertThat(completions.get(i).cvlan()).isEqualTo(strips ? TAG : 0);
                }
            }
            polled += count;
        }
        assertThat(received).isEqualTo(strips ? FRAME - 4 : FRAME);
        assertThat(memory.segment().get(ValueLayout.JAVA_BYTE, RECEIVED_AT + ADDRESSES + (strips ? 0 : 4)))
                .isEqualTo((byte) (ADDRESSES + 4));
    }

    @Test
    void queuePairIsOnThePortAskedFor() {
        open(new Zoo.Mlx5());
        CompletionQueue queue = add(verbs.completionQueue(CompletionQueueConfig.of(16)));
        QueuePairConfig config = QueuePairConfig.of(domain, queue);
        assertThat(add(domain.queuePair(config)).config().port()).isEqualTo(1);
        QueuePair first = add(domain.queuePair(config.withPort(1)));
        assertThat(first.query().get(Field.PORT)).hasValue(1);
        assertThatThrownBy(() -> domain.queuePair(config.withPort(9)))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("PORT")
                .hasMessageContaining("remedy: ");
    }

    private QueuePair ready(QueuePairConfig config) {
        QueuePair made = add(domain.queuePair(config));
        made.modify(QueuePairAttributes.to(QueuePairState.RTR));
        made.modify(QueuePairAttributes.to(QueuePairState.RTS));
        return made;
    }
}
