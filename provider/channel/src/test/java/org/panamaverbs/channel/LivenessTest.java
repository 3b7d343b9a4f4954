package org.panamaverbs.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.testkit.process.Allocation;

/** Silent peers, and what is in doubt when a channel is lost. */
@Timeout(120)
@ParameterizedClass
@EnumSource
class LivenessTest {
    private static final MessageHandler NOTHING = (channel, memory, offset, length) -> {};

    private final Pair.Form form;

    LivenessTest(Pair.Form form) {
        this.form = form;
    }

    @Test
    void aPeerThatIsNotPolledIsSilentUntilItIs() {
        Duration silence = Duration.ofMillis(40);
        try (Pair pair = new Pair(form, form.small().withSilence(silence))) {
            long begin = System.nanoTime();
            while (!pair.out.isPeerSilent()) {
                // Wakes for it, and at no other time: nothing else happens.
                assertThat(pair.publishers.await(pair.deadline)).isTrue();
                pair.publishers.poll(NOTHING, 1);
            }
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(silence.toNanos());
            assertThat(pair.out.state()).isEqualTo(Channel.State.OPEN);
            pair.until(NOTHING, () -> !pair.out.isPeerSilent());
        }
    }

    /** More than there are receives: each of them is posted again, and credits take their turn. */
    @Test
    void idlePeersThatArePolledAreNotSilent() {
        Duration silence = Duration.ofMillis(4);
        try (Pair pair = new Pair(form, form.small().withSilence(silence))) {
            boolean silent = false;
            while (pair.out.connection().queuePair().statistics().receivesCompleted() <= 200) {
                assertThat(pair.deadline.passed()).isFalse();
                pair.publishers.poll(NOTHING, 1);
                pair.subscribers.poll(NOTHING, 1);
                silent |= pair.out.isPeerSilent() || pair.in.isPeerSilent();
            }
            assertThat(silent).isFalse();
            int published = Pair.fill(pair.out.publisher());
            int[] taken = {0};
            pair.until((channel, memory, offset, length) -> taken[0]++, () -> taken[0] == published);
        }
    }

    /** It has no receive for more messages, and some for beats. */
    @Test
    void aPeerIsNotSilentWhoseMessagesAreAllKept() {
        try (Pair pair = new Pair(form, form.small().withSilence(Duration.ofMillis(4)))) {
            Pair.fill(pair.out.publisher());
            MessageHandler keeper = (channel, memory, offset, length) ->
                    assertThat(channel.subscriber().keep()).isPositive();
            while (pair.in.connection().queuePair().statistics().receivesCompleted() <= 200) {
                assertThat(pair.deadline.passed()).isFalse();
                pair.publishers.poll(NOTHING, 1);
                pair.subscribers.poll(keeper, 16);
                assertThat(pair.in.isPeerSilent()).isFalse();
            }
        }
    }

    @Test
    void allocatesNothingForBeats() {
        try (Pair pair = new Pair(form, form.small().withSilence(Duration.ofMillis(1)))) {
            int beats = 16;
            long nanos = beats * 250_000L;
            Allocation.expectNone(beats, 100, () -> {
                for (long begin = System.nanoTime(); System.nanoTime() - begin < nanos; ) {
                    pair.publishers.poll(NOTHING, 1);
                    pair.subscribers.poll(NOTHING, 1);
                }
            });
            assertThat(pair.out.connection().queuePair().statistics().sendsPosted())
                    .isPositive();
        }
    }

    @Test
    void withoutSilenceAnIdleChannelSendsNothing() {
        try (Pair pair = new Pair(form, form.small())) {
            Deadline enough = Deadline.in(20, TimeUnit.MILLISECONDS);
            while (!enough.passed()) {
                pair.publishers.poll(NOTHING, 1);
                pair.subscribers.poll(NOTHING, 1);
            }
            assertThat(pair.out.connection().queuePair().statistics().sendsPosted())
                    .isZero();
            assertThat(pair.out.isPeerSilent()).isFalse();
        }
        assertThatThrownBy(() -> form.small().withSilence(Duration.ofNanos(1)))
                .hasMessageContaining("silence of PT0.000000001S, expected PT0.001S to PT24H or zero; remedy: choose");
    }

    /** What was taken and what is in doubt is everything, in order, and overlaps only in what was not reported. */
    @Test
    void handsOutAgainWhatIsInDoubt() {
        try (Pair pair = new Pair(form, form.small())) {
            Publisher publisher = pair.out.publisher();
            List<byte[]> published = new ArrayList<>();
            List<byte[]> taken = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                byte[] message = Pair.message(i, i * 5 % 200);
                pair.publish(
                        message, (channel, memory, offset, length) -> taken.add(Pair.bytes(memory, offset, length)));
                published.add(message);
            }
            assertThatThrownBy(() -> publisher.inDoubt(NOTHING)).hasMessageContaining("the channel is OPEN; remedy");
            pair.in.close();
            while (pair.out.state() == Channel.State.OPEN) {
                pair.publishers.poll(NOTHING, 1);
            }
            List<byte[]> again = inDoubt(publisher);
            assertThat(again).isNotEmpty().hasSizeLessThan(200);
            int from = published.size() - again.size();
            assertThat(from).isLessThanOrEqualTo(taken.size());
            for (int i = 0; i < again.size(); i++) {
                assertThat(again.get(i)).isEqualTo(published.get(from + i));
            }
            pair.out.close();
            assertThatThrownBy(() -> publisher.inDoubt(NOTHING)).hasMessageContaining("the channel is CLOSED; remedy");
        }
    }

    @Test
    void handsOutLongMessagesInDoubtAsAWhole() {
        try (Pair pair = new Pair(form, form.small())) {
            Publisher publisher = pair.out.publisher();
            byte[] message = Pair.message(7, publisher.maxMessageLength());
            pair.publish(message, NOTHING);
            assertThat(publisher.end()).isPositive();
            pair.in.close();
            while (pair.out.state() == Channel.State.OPEN) {
                pair.publishers.poll(NOTHING, 1);
            }
            assertThat(inDoubt(publisher)).singleElement().isEqualTo(message);
        }
    }

    @Test
    void handsOutNothingMoreInDoubtOfAChannelThatTheHandlerHasClosed() {
        try (Pair pair = new Pair(form, form.small())) {
            Publisher publisher = pair.out.publisher();
            pair.publish(Pair.message(1, 20), NOTHING);
            pair.publish(Pair.message(2, 20), NOTHING);
            pair.in.close();
            while (pair.out.state() == Channel.State.OPEN) {
                pair.publishers.poll(NOTHING, 1);
            }
            int[] handed = {0};
            assertThat(publisher.inDoubt((channel, memory, offset, length) -> {
                        handed[0]++;
                        channel.close();
                    }))
                    .isFalse();
            assertThat(handed[0]).isEqualTo(1);
        }
    }

    private static List<byte[]> inDoubt(Publisher publisher) {
        List<byte[]> again = new ArrayList<>();
        assertThat(publisher.inDoubt((channel, memory, offset, length) -> {
                    assertThat(memory.isReadOnly()).isTrue();
                    again.add(Pair.bytes(memory, offset, length));
                }))
                .isTrue();
        return again;
    }
}
