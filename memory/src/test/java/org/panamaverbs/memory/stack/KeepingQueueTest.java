package org.panamaverbs.memory.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What it holds is there in order, wherever the ring begins, and stays where it cannot grow. */
class KeepingQueueTest {
    private static final int FIRST_ROOM = 16;

    private boolean exhausted;
    private final KeepingQueue<Integer> queue = new KeepingQueue<>(size -> {
        if (exhausted) {
            throw new OutOfMemoryError("as asked for");
        }
        return new Object[size];
    });

    private void add(int from, int to) {
        for (int i = from; i < to; i++) {
            queue.add(i);
        }
    }

    private List<Integer> takeAll() {
        List<Integer> all = new ArrayList<>();
        for (Integer next = queue.poll(); next != null; next = queue.poll()) {
            all.add(next);
        }
        return all;
    }

    /** Has the ring begin in its middle. */
    private void turn() {
        add(0, 5);
        assertThat(takeAll()).hasSize(5);
    }

    @Test
    void growsWhereverItBegins() {
        turn();
        add(0, 40);
        assertThat(queue.size()).isEqualTo(40);
        assertThat(queue.peek()).isZero();
        assertThat(takeAll())
                .containsExactlyElementsOf(IntStream.range(0, 40).boxed().toList());
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.peek()).isNull();
    }

    @Test
    void keepsWhatItHoldsWhereItCannotGrow() {
        turn();
        add(0, FIRST_ROOM);
        exhausted = true;

        assertThatThrownBy(() -> queue.add(99)).isInstanceOf(OutOfMemoryError.class);
        assertThat(queue.size()).isEqualTo(FIRST_ROOM);
        assertThat(queue.poll()).isZero();
        queue.add(FIRST_ROOM);
        assertThat(takeAll()).hasSize(FIRST_ROOM).startsWith(1).endsWith(FIRST_ROOM);
    }

    @Test
    void givesTheYoungestToo() {
        turn();
        add(0, FIRST_ROOM + 1);
        assertThat(queue.pollLast()).isEqualTo(FIRST_ROOM);
        assertThat(queue.pollLast()).isEqualTo(FIRST_ROOM - 1);
        assertThat(takeAll()).hasSize(FIRST_ROOM - 1).startsWith(0, 1);
        assertThat(queue.pollLast()).isNull();
    }

    @Test
    void removesFromTheMiddle() {
        turn();
        add(0, FIRST_ROOM);
        queue.remove(3);
        queue.remove(99);
        assertThat(queue.contains(3)).isFalse();
        assertThat(queue.contains(FIRST_ROOM - 1)).isTrue();
        queue.removeIf(element -> element % 2 == 0);
        assertThat(takeAll()).containsExactly(1, 5, 7, 9, 11, 13, 15);
    }

    @Test
    void removesWhatWasJudgedBeforeAFailure() {
        turn();
        add(0, 4);
        assertThatThrownBy(() -> queue.removeIf(element -> {
                    if (element == 2) {
                        throw new StackOverflowError("as asked for");
                    }
                    return element == 1;
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(takeAll()).containsExactly(0, 2, 3);
    }
}
