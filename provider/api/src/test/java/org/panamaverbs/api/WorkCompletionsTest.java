package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.panamaverbs.spi.support.CompletionWriter;

class WorkCompletionsTest {
    private static final CompletionWriter WRITER = CompletionWriter.get();

    @Test
    void showsOnlyWhatTheLastPollFilled() {
        WorkCompletions completions = WorkCompletions.ofCapacity(2);
        WRITER.set(WRITER.slot(completions, 0), 9, WcStatus.SUCCESS, WcOpcode.RECV, 4, 64, 0);
        WRITER.immediate(WRITER.slot(completions, 0), 0x0102030405060708L);
        WRITER.filled(completions, 1);
        WorkCompletion first = completions.get(0);
        assertThat(first.wrId()).isEqualTo(9);
        assertThat(first.hasImmediate()).isTrue();
        assertThat(first.toString()).contains("wr_id 9", "64 bytes", "0x102030405060708");
        assertThatThrownBy(() -> completions.get(1)).isInstanceOf(IndexOutOfBoundsException.class);

        WRITER.set(WRITER.slot(completions, 0), 10, WcStatus.WR_FLUSH_ERROR, WcOpcode.RECV, 4, 0, 0);
        assertThat(first.hasImmediate()).isFalse();
        assertThat(first.ok()).isFalse();
        assertThatThrownBy(() -> WorkCompletions.ofCapacity(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void timestampsOfAnEarlierCompletionAreNotSeen() {
        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        WorkCompletion only = WRITER.slot(completions, 0);
        WRITER.set(only, 1, WcStatus.SUCCESS, WcOpcode.SEND, 4, 0, 0);
        WRITER.timestamp(only, -1);
        WRITER.wallclockNanos(only, 1_700_000_000_000_000_000L);
        assertThat(only.timestamp()).isEqualTo(-1);
        assertThat(only.wallclockNanos()).isEqualTo(1_700_000_000_000_000_000L);
        assertThat(only.toString()).contains("timestamp 18446744073709551615", "wall clock 1700000000000000000 ns");

        WRITER.set(only, 2, WcStatus.SUCCESS, WcOpcode.SEND, 4, 0, 0);
        assertThat(only.hasTimestamp()).isFalse();
        assertThat(only.hasWallclock()).isFalse();
        assertThat(only.timestamp()).isZero();
        assertThat(only.wallclockNanos()).isZero();
    }

    @Test
    void applicationsOnlyRead() {
        Stream.of(WorkCompletion.class, WorkCompletions.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .forEach(method ->
                        assertThat(method.getReturnType()).as(method.toString()).isNotEqualTo(void.class));
        assertThatThrownBy(() -> CompletionWriter.provide(WRITER)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void statusesHaveTheNumbersOfLibibverbs() {
        assertThat(WcStatus.SUCCESS.code()).isZero();
        assertThat(WcStatus.WR_FLUSH_ERROR.code()).isEqualTo(5);
        assertThat(WcStatus.REMOTE_ACCESS_ERROR.code()).isEqualTo(10);
        assertThat(WcStatus.RNR_RETRY_EXCEEDED.code()).isEqualTo(13);
        assertThat(WcStatus.GENERAL_ERROR.code()).isEqualTo(21);
        for (WcStatus status : WcStatus.values()) {
            assertThat(WcStatus.of(status.code())).isEqualTo(status);
        }
        assertThat(WcStatus.of(99)).isEqualTo(WcStatus.GENERAL_ERROR);
        assertThat(WcStatus.of(-1)).isEqualTo(WcStatus.GENERAL_ERROR);
    }
}
