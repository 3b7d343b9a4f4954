package org.panamaverbs.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a recording shows of channels. */
@Timeout(120)
class ChannelStatisticsTest {
    private static final String NAME = "verbs.ChannelStatistics";

    private final LinkedBlockingQueue<RecordedEvent> events = new LinkedBlockingQueue<>();

    private RecordedEvent find(Predicate<RecordedEvent> wanted) throws InterruptedException {
        while (true) {
            RecordedEvent event = events.poll(60, TimeUnit.SECONDS);
            assertThat(event).as("an event that has it").isNotNull();
            if (wanted.test(event)) {
                return event;
            }
        }
    }

    @Test
    void aRecordingHasThePositionsOfEachOpenChannel() throws Exception {
        Pair.Form form = Pair.Form.RING_OVER_TCP;
        try (RecordingStream stream = new RecordingStream();
                Pair before = new Pair(form, form.small())) {
            stream.enable(NAME).withPeriod(Duration.ofMillis(10));
            stream.onEvent(NAME, events::add);
            stream.setReuse(false);
            stream.startAsync();
            try (Pair pair = new Pair(form, form.small())) {
                long[] kept = new long[1];
                pair.publish(new byte[100], (channel, memory, offset, length) -> {});
                pair.until(
                        (channel, memory, offset, length) ->
                                kept[0] = channel.subscriber().keep(),
                        () -> kept[0] > 0);
                Pair.fill(pair.out.publisher());
                MemorySegment one = MemorySegment.ofArray(new byte[1]);
                assertThat(pair.out.publisher().offer(one, 0, 1)).isEqualTo(Publisher.BACK_PRESSURED);

                int out = pair.out.queuePair().number();
                RecordedEvent event = find(its -> its.getInt("queuePair") == out && its.getLong("backPressured") >= 2);
                assertThat(event.getLong("backPressured"))
                        .isEqualTo(pair.out.publisher().backPressured());
                assertThat(event.getLong("published"))
                        .isEqualTo(pair.out.publisher().position());
                assertThat(event.getLong("released")).isZero();
                assertThat(event.getString("state")).isEqualTo("OPEN");
                assertThat(event.getString("way")).isEqualTo("RING");
                assertThat(event.getString("provider")).isEqualTo("iwarp");
                assertThat(event.getString("peer"))
                        .isEqualTo("127.0.0.1:" + pair.out.remoteAddress().getPort());
                int in = pair.in.queuePair().number();
                event = find(its -> its.getInt("queuePair") == in && its.getLong("taken") > 0);
                assertThat(event.getLong("kept"))
                        .isEqualTo(event.getLong("taken"))
                        .isEqualTo(kept[0]);
            }
            int old = before.out.queuePair().number();
            find(its -> its.getInt("queuePair") == old);
        }
    }
}
