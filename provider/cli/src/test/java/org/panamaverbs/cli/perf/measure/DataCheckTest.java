package org.panamaverbs.cli.perf.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.cli.command.CommandFailure;

class DataCheckTest {
    private static final int SIZE = 600;

    private static Session session(Verbs verbs) {
        Session.Sizes sizes = new Session.Sizes(PerfTest.Operation.READ, 1, SIZE, 1, 2, 0, false, QueuePairType.RC);
        return new Session(verbs, sizes, new Session.Waiting(false, Duration.ZERO, Duration.ofSeconds(30)));
    }

    @Test
    void namesTheFirstOctetThatIsWrong() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
                Session session = session(verbs)) {
            Lane lane = session.add();
            DataCheck check = new DataCheck(PerfTest.READ_LAT, session.tally(), session.back());
            check.begin(lane, SIZE);

            assertThatThrownBy(() -> check.end(lane, SIZE))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessage("data of 600 bytes read are wrong: byte 0 is 0x00, expected 0x01");

            MemorySegment.copy(lane.in.segment(), 0, lane.out.segment(), 0, SIZE);
            assertThatCode(() -> check.end(lane, SIZE)).doesNotThrowAnyException();

            lane.out.segment().set(ValueLayout.JAVA_BYTE, SIZE - 1L, (byte) 0x55);
            assertThatThrownBy(() -> check.end(lane, SIZE)).hasMessageContaining("byte 599 is 0x55, expected ");
        }
    }

    @Test
    void patternOfAMessageIsNotThatOfItsNeighbours() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(SIZE);

            TestPattern.fill(segment, SIZE);

            assertThat(segment.asSlice(0, 256).mismatch(segment.asSlice(256, 256)))
                    .isZero();
            assertThat(segment.get(ValueLayout.JAVA_BYTE, 0))
                    .isEqualTo(TestPattern.octet(0))
                    .isNotZero();
        }
    }
}
