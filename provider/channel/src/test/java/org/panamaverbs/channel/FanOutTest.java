package org.panamaverbs.channel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One message to many subscribers. */
@Timeout(120)
class FanOutTest {
    private final Pair.Form form = Pair.Form.RING_OVER_TCP;
    private final Map<Channel, List<Long>> taken = new HashMap<>();

    private void take(Channel channel, MemorySegment memory, long offset, int length) {
        taken.computeIfAbsent(channel, its -> new ArrayList<>()).add(memory.get(JAVA_LONG, offset));
    }

    private static MemorySegment number(long number) {
        return MemorySegment.ofArray(new long[] {number});
    }

    @Test
    void everySubscriberHasAllWhereTheSlowestSetsThePace() {
        try (Pair pair = new Pair(form, form.small())) {
            FanOut fanOut = new FanOut();
            List<Channel> ins = new ArrayList<>(List.of(pair.in));
            fanOut.add(pair.out);
            for (int i = 0; i < 9; i++) {
                Channel[] ends = pair.connect();
                fanOut.add(ends[0]);
                ins.add(ends[1]);
            }
            int waits = 0;
            for (long i = 0; i < 2000; i++) {
                for (int slow = fanOut.offer(number(i), 0, 8); slow > 0; slow = fanOut.retry(number(i), 0, 8)) {
                    waits++;
                    ins.get(waits % 10).subscriber().poll(this::take, 50);
                }
            }
            assertThat(waits).isPositive();
            pair.until(
                    this::take,
                    () -> taken.values().stream().mapToInt(List::size).sum() == 20_000);
            for (int i = 0; i < 10; i++) {
                assertThat(fanOut.missed(i)).isZero();
                assertThat(taken.get(ins.get(i))).hasSize(2000).isSorted();
            }
        }
    }

    @Test
    void aSlowSubscriberMissesAndHoldsNoOtherUp() {
        try (Pair pair = new Pair(form, form.small())) {
            FanOut fanOut = new FanOut();
            Channel[] quick = pair.connect();
            fanOut.add(pair.out);
            fanOut.add(quick[0]);
            int slow = 0;
            for (long i = 0; i < 5000; i++) {
                while (fanOut.offer(number(i), 0, 0) == 2) {
                    throw new AssertionError("both are slow");
                }
                slow += fanOut.result(0) == Publisher.BACK_PRESSURED ? 1 : 0;
                assertThat(fanOut.result(1)).isPositive();
                quick[1].subscriber().poll((channel, memory, offset, length) -> {}, 100);
            }
            // The last one is not missed yet.
            assertThat(fanOut.missed(0)).isPositive().isEqualTo(slow - 1);
            assertThat(fanOut.missed(1)).isZero();
        }
    }

    @Test
    void saysWhoIsGone() {
        try (Pair pair = new Pair(form, form.small())) {
            FanOut fanOut = new FanOut();
            Channel[] other = pair.connect();
            fanOut.add(pair.out);
            fanOut.add(other[0]);
            assertThat(fanOut.result(0)).isZero();
            pair.in.close();
            while (fanOut.result(0) != Publisher.NOT_CONNECTED) {
                assertThat(pair.deadline.passed()).isFalse();
                assertThat(fanOut.offer(number(1), 0, 8)).isZero();
                assertThat(fanOut.result(1)).isPositive();
                pair.until((channel, memory, offset, length) -> {}, () -> true);
                pair.publishers.poll(this::take, 1);
                other[1].subscriber().poll(this::take, 10);
            }
            long result = fanOut.result(1);
            assertThat(fanOut.channel(0)).isSameAs(pair.out);
            assertThat(fanOut.remove(pair.out)).isTrue();
            assertThat(fanOut.remove(pair.out)).isFalse();
            assertThat(fanOut.size()).isEqualTo(1);
            assertThat(fanOut.channel(0)).isSameAs(other[0]);
            assertThat(fanOut.result(0)).isEqualTo(result);
        }
    }
}
