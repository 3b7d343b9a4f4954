package org.panamaverbs.ibverbs.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.WcStatus;

/** What completions that fail say of the others. */
class WorkCountsTest {
    private static final int SEND = 0; // infiniband/verbs.h: IBV_WC_SEND
    private static final int RECV = 1 << 7; // IBV_WC_RECV
    private static final WcStatus OF_ITSELF = WcStatus.REMOTE_ACCESS_ERROR;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment entry = arena.allocate(WcArray.BYTES, 8);

    @AfterEach
    void free() {
        arena.close();
    }

    /** Returns counts of three sends, of which the second and the third are signaled. */
    private static WorkCounts counts(boolean apart) {
        WorkCounts counts = new WorkCounts(8, false, apart);
        counts.signaled(0, 2);
        counts.signaled(1, 3);
        return counts;
    }

    private void done(WorkCounts counts, WcStatus status, int opcode) {
        entry.set(ValueLayout.JAVA_INT, WcArray.STATUS, status.code());
        entry.set(ValueLayout.JAVA_INT, WcArray.OPCODE, opcode);
        counts.done(entry.address(), opcode == SEND);
    }

    @Test
    void aReceiveThatFailedApartSaysNothingOfSends() {
        WorkCounts counts = counts(true);
        done(counts, WcStatus.WR_FLUSH_ERROR, RECV);
        done(counts, WcStatus.SUCCESS, SEND);

        assertThat(counts.sends()).isEqualTo(2);
        assertThat(counts.receivesFlushed()).isEqualTo(1);
        assertThat(counts.allSucceeded(2)).isTrue();
        assertThat(counts.allSucceeded(3)).isFalse();
    }

    @Test
    void whatIsFlushedIsUnfinished() {
        for (boolean apart : new boolean[] {true, false}) {
            WorkCounts counts = counts(apart);
            done(counts, WcStatus.SUCCESS, SEND);
            done(counts, WcStatus.WR_FLUSH_ERROR, SEND);

            assertThat(counts.signaledAfter(2)).isEqualTo(1);
            assertThat(counts.allSucceeded(3)).isFalse();
        }
    }

    @Test
    void nothingIsUnfinishedAfterARequestThatFailedByItself() {
        WorkCounts counts = counts(true);
        done(counts, OF_ITSELF, SEND);
        done(counts, WcStatus.WR_FLUSH_ERROR, SEND);

        assertThat(counts.signaledAfter(2)).isZero();
        assertThat(counts.allSucceeded(3)).isFalse();
        counts.startAnew(2, 3, 0);
        assertThat(counts.allSucceeded(3)).isTrue();
    }
}
