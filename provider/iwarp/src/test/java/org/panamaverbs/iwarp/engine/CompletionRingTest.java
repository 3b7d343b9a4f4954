package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.iwarp.core.CompletionSink;
import org.panamaverbs.spi.support.CompletionWriter;

class CompletionRingTest {
    private static final CompletionWriter WRITER = CompletionWriter.get();

    private final WorkCompletions completions = WorkCompletions.ofCapacity(16);

    private static long add(CompletionRing ring, long wrId, int qpNumber) {
        return ring.add(wrId, WcStatus.SUCCESS, WcOpcode.SEND, qpNumber, 0, 0, 0, 0);
    }

    private int takeOut(CompletionRing ring) {
        int count = ring.copy(completions);
        WRITER.filled(completions, count);
        ring.remove(count);
        return count;
    }

    private List<Long> drain(CompletionRing ring) {
        int count = takeOut(ring);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(completions.get(i).wrId());
        }
        return ids;
    }

    @Test
    void holdsExactlyItsCapacity() {
        CompletionRing ring = new CompletionRing(3);

        assertThat(add(ring, 1, 1)).isEqualTo(0);
        assertThat(add(ring, 2, 1)).isEqualTo(1);
        assertThat(add(ring, 3, 1)).isEqualTo(2);
        assertThat(add(ring, 4, 1)).isEqualTo(CompletionSink.LOST);
        assertThat(drain(ring)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void keepsAllFieldsOfACompletion() {
        CompletionRing ring = new CompletionRing(2);
        ring.add(
                7,
                WcStatus.SUCCESS,
                WcOpcode.RECV_IMMEDIATE,
                9,
                0xFFFF_FFFFL,
                CompletionSink.HAS_IMMEDIATE | CompletionSink.SOLICITED,
                -2,
                0);
        ring.add(8, WcStatus.REMOTE_ACCESS_ERROR, WcOpcode.SEND, 9, 0, 0, 0, 0x1100);
        takeOut(ring);

        assertThat(completions.get(0).wrId()).isEqualTo(7);
        assertThat(completions.get(0).opcode()).isEqualTo(WcOpcode.RECV_IMMEDIATE);
        assertThat(completions.get(0).byteCount()).isEqualTo(0xFFFF_FFFFL);
        assertThat(completions.get(0).hasImmediate()).isTrue();
        assertThat(completions.get(0).immediate()).isEqualTo(-2);
        assertThat(completions.get(0).qpNumber()).isEqualTo(9);
        assertThat(completions.get(1).status()).isEqualTo(WcStatus.REMOTE_ACCESS_ERROR);
        assertThat(completions.get(1).vendorError()).isEqualTo(0x1100);
        assertThat(completions.get(1).hasImmediate()).isFalse();
    }

    @Test
    void purgesOneQueuePairAndKeepsTheOrderOfTheRest() {
        CompletionRing ring = new CompletionRing(4);
        // Once around, so that the ring wraps in the middle.
        add(ring, 0, 1);
        add(ring, 0, 1);
        add(ring, 0, 1);
        drain(ring);
        add(ring, 1, 5);
        add(ring, 2, 6);
        add(ring, 3, 5);
        add(ring, 4, 6);

        ring.purge(5);

        assertThat(ring.size()).isEqualTo(2);
        assertThat(drain(ring)).containsExactly(2L, 4L);
        long number = add(ring, 9, 1);
        assertThat(number).isGreaterThanOrEqualTo(ring.taken());
        assertThat(drain(ring)).containsExactly(9L);
        assertThat(number).isLessThan(ring.taken());
    }

    @Test
    void whatIsTakenHasASmallerNumberThanTaken() {
        CompletionRing ring = new CompletionRing(4);
        long first = add(ring, 1, 1);
        long second = add(ring, 2, 2);
        long third = add(ring, 3, 1);
        assertThat(ring.taken()).isLessThanOrEqualTo(first);

        // Those of a queue pair that is closed leave no gap that the others would have to wait for.
        ring.purge(2);
        assertThat(ring.taken()).isLessThanOrEqualTo(third);
        assertThat(drain(ring)).containsExactly(1L, 3L);
        assertThat(ring.taken()).isGreaterThan(third).isGreaterThan(second);
    }

    @Test
    void countsOnInARingOfAnotherSize() {
        CompletionRing small = new CompletionRing(2);
        add(small, 1, 1);
        drain(small);
        long number = add(small, 2, 1);
        CompletionRing large = new CompletionRing(9);
        small.moveTo(large);

        assertThat(large.taken()).isEqualTo(number);
        assertThat(add(large, 3, 1)).isEqualTo(number + 1);
        assertThat(drain(large)).containsExactly(2L, 3L);
        assertThat(large.taken()).isEqualTo(number + 2);
    }

    @Test
    void movesToARingOfAnotherSize() {
        CompletionRing small = new CompletionRing(2);
        add(small, 1, 1);
        add(small, 2, 1);
        CompletionRing large = new CompletionRing(5);

        small.moveTo(large);

        assertThat(large.capacity()).isEqualTo(5);
        assertThat(drain(large)).containsExactly(1L, 2L);
    }
}
