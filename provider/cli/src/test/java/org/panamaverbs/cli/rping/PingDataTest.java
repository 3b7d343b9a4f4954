package org.panamaverbs.cli.rping;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PingDataTest {
    private final MemorySegment segment = MemorySegment.ofArray(new byte[1024]);

    @Test
    void firstPingStartsWithA() {
        PingData.fill(segment, 0, 64);

        assertThat(PingData.text(segment, 64))
                .isEqualTo("rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqr")
                .hasSize(63);
        assertThat(segment.get(JAVA_BYTE, 63)).isZero();
    }

    @Test
    void eachPingStartsOneCharacterLater() {
        PingData.fill(segment, 1, 64);

        assertThat(PingData.text(segment, 64)).startsWith("rdma-ping-1: BCDEF").hasSize(63);
    }

    @Test
    void charactersStartAgainAfterLowerCaseZ() {
        PingData.fill(segment, 0, 128);

        assertThat(PingData.text(segment, 128)).contains("wxyzABC");
    }

    @Test
    void firstCharacterStartsAgainAfterLowerCaseZ() {
        PingData.fill(segment, 57, 64);
        assertThat(PingData.text(segment, 64)).startsWith("rdma-ping-57: zABC");

        PingData.fill(segment, 58, 64);
        assertThat(PingData.text(segment, 64)).startsWith("rdma-ping-58: ABC");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 9, 100, Integer.MAX_VALUE})
    void shortestPingHasRoomForItsNumber(int number) {
        PingData.fill(segment, number, PingData.MIN_BYTES);

        assertThat(PingData.text(segment, PingData.MIN_BYTES))
                .startsWith("rdma-ping-" + number + ": ")
                .hasSize(PingData.MIN_BYTES - 1);
    }

    @Test
    void textEndsAtTheFirstNul() {
        segment.setString(0, "peer");

        assertThat(PingData.text(segment, 64)).isEqualTo("peer");
    }

    @Test
    void textWithoutNulEndsAtTheSize() {
        segment.fill((byte) 'x');

        assertThat(PingData.text(segment, 3)).isEqualTo("xxx");
    }
}
