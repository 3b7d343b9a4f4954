package org.panamaverbs.channel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.process.Allocation;

/** What a channel promises, both ways, over TCP and shared memory. */
@Timeout(120)
@ParameterizedClass
@EnumSource
class ChannelTest {
    private final Pair.Form form;

    ChannelTest(Pair.Form form) {
        this.form = form;
    }

    /** Takes messages, which are those of {@link Pair#message} in their order. */
    private static final class Taken implements MessageHandler {
        final Queue<byte[]> expected = new ArrayDeque<>();
        int count;

        @Override
        public void onMessage(Channel channel, MemorySegment memory, long offset, int length) {
            assertThat(memory.isReadOnly()).isTrue();
            assertThat(offset % 8).isZero();
            assertThat(Pair.bytes(memory, offset, length)).isEqualTo(expected.remove());
            count++;
        }
    }

    @Test
    void carriesMessagesOfAllSizesAroundLimits() {
        try (Pair pair = new Pair(form, form.small())) {
            Publisher publisher = pair.out.publisher();
            assertThat(pair.out.way()).isEqualTo(form.way);
            assertThat(pair.in.way()).isEqualTo(form.way);
            assertThat(publisher.maxMessageLength()).isEqualTo(1016);
            Taken taken = new Taken();
            int number = 0;
            for (int length = 0; length <= publisher.maxMessageLength(); length++) {
                byte[] message = Pair.message(number++, length);
                taken.expected.add(message);
                pair.publish(message, taken);
            }
            int all = number;
            pair.until(taken, () -> taken.count == all);
            MemorySegment tooLong = MemorySegment.ofArray(new byte[1017]);
            assertThat(publisher.offer(tooLong, 0, 1017)).isEqualTo(Publisher.TOO_LONG);
            assertThat(publisher.tryClaim(1017)).isEqualTo(Publisher.TOO_LONG);
            assertThat(pair.in.subscriber().position()).isEqualTo(publisher.position());
        }
    }

    @Test
    void fillsClaimsInPlaceAndTakesAbortedOnesBack() {
        try (Pair pair = new Pair(form, form.small())) {
            Publisher publisher = pair.out.publisher();
            List<Long> taken = new ArrayList<>();
            long published = 0;
            while (published < 1000) {
                long position = publisher.tryClaim(8);
                if (position == Publisher.BACK_PRESSURED) {
                    pair.subscribers.poll(
                            (channel, memory, offset, length) -> taken.add(memory.get(JAVA_LONG, offset)), 16);
                    continue;
                }
                Claim claim = publisher.claim();
                assertThat(claim.length()).isEqualTo(8);
                claim.segment().set(JAVA_LONG, claim.offset(), published);
                assertThatThrownBy(() -> publisher.tryClaim(8)).hasMessageContaining("; remedy: call commit or abort");
                if (position % 3 == 0 && taken.size() % 2 == 0) {
                    claim.abort();
                    position = publisher.tryClaim(8);
                    assertThat(position).isPositive();
                    claim.segment().set(JAVA_LONG, claim.offset(), published);
                }
                assertThat(claim.commit()).isEqualTo(position).isEqualTo(publisher.position());
                published++;
            }
            pair.until(
                    (channel, memory, offset, length) -> taken.add(memory.get(JAVA_LONG, offset)),
                    () -> taken.size() == 1000);
            for (int i = 0; i < 1000; i++) {
                assertThat(taken.get(i)).isEqualTo(i);
            }
            assertThatThrownBy(() -> publisher.claim().commit()).hasMessageContaining("; remedy: call tryClaim");
        }
    }

    @Test
    void backPressuresByASlowSubscriberAndLosesNothing() {
        try (Pair pair = new Pair(form, form.small())) {
            Taken taken = new Taken();
            MemorySegment message = MemorySegment.ofArray(Pair.message(1, 40));
            for (int round = 0; round < 20; round++) {
                int published = 0;
                // The subscriber's provider makes progress, its application does nothing.
                for (int pressed = 0; pressed < 100; ) {
                    if (pair.out.publisher().offer(message, 0, 40) > 0) {
                        taken.expected.add(message.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
                        published++;
                    } else {
                        pressed++;
                        pair.subscribers.poll(taken, 0);
                    }
                }
                assertThat(published).isPositive();
                assertThat(pair.out.state()).isEqualTo(Channel.State.OPEN);
                int all = taken.count + taken.expected.size();
                pair.until(taken, () -> taken.count == all);
            }
            assertThat(pair.in.state()).isEqualTo(Channel.State.OPEN);
        }
    }

    @Test
    void overwritesNoKeptMessageInWhateverOrderTheyAreReleased() {
        try (Pair pair = new Pair(form, form.small())) {
            Subscriber subscriber = pair.in.subscriber();
            @SuppressWarnings("ArrayRecordComponent") // nobody compares them
            record Kept(long position, MemorySegment memory, long offset, byte[] content) {}
            List<Kept> kept = new ArrayList<>();
            var random = new java.util.Random(7);
            int[] taken = {0};
            MessageHandler keeper = (channel, memory, offset, length) -> {
                byte[] content = Pair.bytes(memory, offset, length);
                assertThat(content).isEqualTo(Pair.message(taken[0]++, length));
                if (random.nextBoolean()) {
                    kept.add(new Kept(subscriber.keep(), memory, offset, content));
                }
            };
            int published = 0;
            while (published < 3000) {
                int length = random.nextInt(8, 600);
                if (pair.out.publisher().offer(MemorySegment.ofArray(Pair.message(published, length)), 0, length) > 0) {
                    published++;
                    continue;
                }
                pair.subscribers.poll(keeper, 16);
                for (int i = random.nextInt(3); i > 0 && !kept.isEmpty(); i--) {
                    Kept one = kept.remove(random.nextInt(kept.size()));
                    assertThat(Pair.bytes(one.memory, one.offset, one.content.length))
                            .isEqualTo(one.content);
                    subscriber.release(one.position);
                    assertThatThrownBy(() -> subscriber.release(one.position)).hasMessageContaining("; remedy: ");
                }
            }
            int all = published;
            pair.until(keeper, () -> {
                kept.forEach(one -> subscriber.release(one.position));
                kept.clear();
                return taken[0] == all;
            });
        }
    }

    @Test
    void carriesBothDirectionsAtOnce() {
        try (Pair pair = new Pair(form, form.small())) {
            int[] counts = {0, 0, 0, 0};
            MemorySegment message = MemorySegment.ofArray(Pair.message(3, 100));
            while (counts[2] < 20_000 || counts[3] < 20_000) {
                assertThat(pair.deadline.passed()).isFalse();
                while (counts[0] < 20_000 && pair.out.publisher().offer(message, 0, 100) > 0) {
                    counts[0]++;
                }
                while (counts[1] < 20_000 && pair.in.publisher().offer(message, 0, 100) > 0) {
                    counts[1]++;
                }
                pair.publishers.poll((channel, memory, offset, length) -> counts[2]++, 7);
                pair.subscribers.poll((channel, memory, offset, length) -> counts[3]++, 5);
            }
        }
    }

    @Test
    void answersInTheHandler() {
        try (Pair pair = new Pair(form, form.small())) {
            Taken echoed = new Taken();
            int[] sent = {0};
            MessageHandler echo = (channel, memory, offset, length) -> assertThat(
                            channel.publisher().offer(memory, offset, length))
                    .isPositive();
            for (int i = 0; i < 500; i++) {
                byte[] message = Pair.message(i, i % 1000);
                echoed.expected.add(message);
                pair.publish(message, echo);
                sent[0]++;
                pair.until(echoed, echo, () -> echoed.count == sent[0]);
            }
        }
    }

    @Test
    void endsInOrderBehindTheLastMessage() {
        try (Pair pair = new Pair(form, form.small())) {
            Taken taken = new Taken();
            for (int i = 0; i < 30; i++) {
                taken.expected.add(Pair.message(i, 50));
                pair.publish(Pair.message(i, 50), taken);
            }
            var ending = CompletableFuture.runAsync(() -> pair.out.disconnect(pair.deadline));
            while (!pair.in.subscriber().isClosed()) {
                pair.subscribers.poll(taken, 3);
            }
            assertThat(taken.count).isEqualTo(30);
            assertThat(pair.in.subscriber().isEnded()).isTrue();
            assertThat(pair.in.state()).isEqualTo(Channel.State.ENDED);
            assertThat(pair.in.failure()).isEmpty();
            assertThat(pair.in.publisher().tryClaim(1)).isEqualTo(Publisher.NOT_CONNECTED);
            while (!ending.isDone()) {
                pair.subscribers.poll(taken, 1);
            }
            ending.join();
            assertThat(pair.out.state()).isEqualTo(Channel.State.CLOSED);
            assertThat(pair.out.publisher().tryClaim(1)).isEqualTo(Publisher.CLOSED);
            pair.out.disconnect(Deadline.now());
            pair.in.close();
            assertThat(pair.subscribers.size()).isZero();
        }
    }

    @Test
    void sendsWhatWaitsAfterThePeersEndAndEndsInOrderAsWell() {
        try (Pair pair = new Pair(form, form.small())) {
            int published = Pair.fill(pair.out.publisher());
            assertThat(pair.in.publisher().end()).isPositive();
            while (!pair.out.subscriber().isEnded()) {
                assertThat(pair.deadline.passed()).isFalse();
                pair.publishers.poll((channel, memory, offset, length) -> {}, 1);
            }
            assertThat(pair.out.publisher().tryClaim(8)).isEqualTo(Publisher.NOT_CONNECTED);
            int[] taken = {0};
            MessageHandler handler = (channel, memory, offset, length) -> taken[0]++;
            pair.until(handler, () -> taken[0] == published);
            var ending = CompletableFuture.runAsync(() -> pair.out.disconnect(pair.deadline));
            while (!ending.isDone()) {
                pair.subscribers.poll(handler, 1);
            }
            ending.join();
            pair.until(handler, pair.in.subscriber()::isClosed);
            assertThat(pair.in.subscriber().isEnded()).isTrue();
            assertThat(pair.in.failure()).isEmpty();
            pair.in.disconnect(pair.deadline);
        }
    }

    /** The end that leaves first drops what the other has not sent yet; the other reports that at once. */
    @Test
    void bothEndsMayDisconnectWithFullWindows() {
        try (Pair pair = new Pair(form, form.small())) {
            Pair.fill(pair.out.publisher());
            Pair.fill(pair.in.publisher());
            List<RuntimeException> failures = Collections.synchronizedList(new ArrayList<>());
            var other = CompletableFuture.runAsync(() -> disconnect(pair.out, pair.deadline, failures));
            disconnect(pair.in, pair.deadline, failures);
            other.join();
            assertThat(pair.deadline.passed()).isFalse();
            assertThat(failures)
                    .hasSizeLessThan(2)
                    .allSatisfy(each -> assertThat(each).isInstanceOf(ChannelException.class));
        }
    }

    private static void disconnect(Channel channel, Deadline deadline, List<RuntimeException> failures) {
        try {
            channel.disconnect(deadline);
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }

    @Test
    void hearsOfWhatIsReleasedAfterItsEnd() {
        try (Pair pair = new Pair(form, form.small())) {
            long[] kept = {0};
            MessageHandler keeper = (channel, memory, offset, length) ->
                    kept[0] = channel.subscriber().keep();
            pair.publish(Pair.message(0, 50), keeper);
            var ending = CompletableFuture.runAsync(() -> pair.out.disconnect(pair.deadline));
            while (!pair.in.subscriber().isEnded()) {
                pair.subscribers.poll(keeper, 1);
            }
            pair.in.subscriber().release(kept[0]);
            while (!ending.isDone()) {
                pair.subscribers.poll(keeper, 1);
            }
            ending.join();
        }
    }

    @Test
    void disconnectsWithAClaimOpenAndNotInAHandler() {
        try (Pair pair = new Pair(form, form.small())) {
            Taken taken = new Taken();
            taken.expected.add(Pair.message(0, 50));
            pair.publish(Pair.message(0, 50), taken);
            MessageHandler disconnecting = (channel, memory, offset, length) -> {
                taken.onMessage(channel, memory, offset, length);
                assertThatThrownBy(() -> channel.disconnect(pair.deadline))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith("disconnect: called by the handler");
            };
            pair.until(disconnecting, () -> taken.count == 1);
            assertThat(pair.in.state()).isEqualTo(Channel.State.OPEN);
            assertThat(pair.out.publisher().tryClaim(8)).isPositive();
            var ending = CompletableFuture.runAsync(() -> pair.out.disconnect(pair.deadline));
            while (!ending.isDone()) {
                pair.subscribers.poll(taken, 1);
            }
            ending.join();
            assertThat(pair.in.subscriber().isEnded()).isTrue();
        }
    }

    @Test
    void releasesInTheHandlerThatKeeps() {
        try (Pair pair = new Pair(form, form.small())) {
            int[] taken = {0};
            MessageHandler handler = (channel, memory, offset, length) -> {
                Subscriber subscriber = channel.subscriber();
                long kept = subscriber.keep();
                subscriber.release(kept);
                assertThatThrownBy(() -> subscriber.release(kept)).hasMessageContaining("; remedy: pass what keep");
                taken[0]++;
            };
            for (int i = 0; i < 300; i++) {
                pair.publish(Pair.message(i, 200), handler);
            }
            pair.until(handler, () -> taken[0] == 300);
        }
    }

    @Test
    void endsTheConnectionIfAPostIsRefused() {
        Assumptions.assumeThat(form.way).isEqualTo(Way.RING);
        ChannelConfig config = form.small();
        try (Pair pair = new Pair(form, config)) {
            RemoteBuffer ring = Setup.ring(pair.in.setup(config).encode(), config);
            MemorySegment word = MemorySegment.ofArray(new byte[8]);
            int status = PostStatus.ACCEPTED;
            while (status == PostStatus.ACCEPTED) {
                status = pair.out.queuePair().writeInline(0, word, 0, 8, ring, 0, SendFlag.NONE);
            }
            assertThat(status).isEqualTo(PostStatus.QUEUE_FULL);
            assertThat(pair.out.publisher().offer(word, 0, 8)).isPositive();
            assertThat(pair.out.publisher().tryClaim(8)).isEqualTo(Publisher.NOT_CONNECTED);
            assertThat(pair.out.failure()).isPresent();
            pair.until((channel, memory, offset, length) -> {}, pair.in.subscriber()::isClosed);
            assertThat(pair.in.state()).isEqualTo(Channel.State.LOST);
        }
    }

    @Test
    void saysWhatWasReleasedWhenThePeerDoesNotTakeAll() {
        try (Pair pair = new Pair(form, form.small())) {
            pair.publish(Pair.message(0, 50), (channel, memory, offset, length) -> {});
            assertThatThrownBy(() -> pair.out.disconnect(Deadline.in(50, TimeUnit.MILLISECONDS)))
                    .isInstanceOf(DeadlineExceededException.class)
                    .hasMessageContaining("released up to position 0 of 72; remedy: ");
            assertThat(pair.out.state()).isEqualTo(Channel.State.CLOSED);
            Taken taken = new Taken();
            taken.expected.add(Pair.message(0, 50));
            pair.until(taken, pair.in.subscriber()::isClosed);
            assertThat(taken.count).isEqualTo(1);
        }
    }

    @Test
    void saysWhatWasReleasedWhenInterruptedOrWhenThePeerIsGone() {
        try (Pair pair = new Pair(form, form.small())) {
            Channel[] second = pair.connect();
            pair.publish(Pair.message(0, 50), (channel, memory, offset, length) -> {});
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> pair.out.disconnect(pair.deadline))
                    .isInstanceOf(WaitInterruptedException.class)
                    .hasMessageContaining("released up to position 0 of 72");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(pair.out.state()).isEqualTo(Channel.State.CLOSED);
            Pair.fill(second[0].publisher());
            second[1].close();
            assertThatThrownBy(() -> second[0].disconnect(pair.deadline))
                    .isInstanceOf(ChannelException.class)
                    .hasMessageContaining("released up to position 0 of 40");
        }
    }

    @Test
    void deliversWhatHasArrivedAfterThePeerAborts() {
        try (Pair pair = new Pair(form, form.small())) {
            Taken taken = new Taken();
            for (int i = 0; i < 10; i++) {
                taken.expected.add(Pair.message(i, 50));
                pair.publish(Pair.message(i, 50), taken);
            }
            // The first is taken, so that the connection carries the others when it ends.
            pair.until(
                    (channel, memory, offset, length) -> taken.onMessage(channel, memory, offset, length),
                    () -> taken.count > 0);
            pair.out.close();
            pair.until(taken, pair.in.subscriber()::isClosed);
            assertThat(pair.in.state()).isEqualTo(Channel.State.LOST);
            assertThat(pair.in.subscriber().isEnded()).isFalse();
            assertThat(pair.in.failure())
                    .get()
                    .extracting(Throwable::getMessage)
                    .asString()
                    .contains("; remedy: ");
            assertThat(pair.in.publisher().tryClaim(1)).isEqualTo(Publisher.NOT_CONNECTED);
        }
    }

    @Test
    void wakesASleeperForMessagesAndForRoom() {
        try (Pair pair = new Pair(form, form.small())) {
            int[] taken = {0};
            var sleeper = CompletableFuture.runAsync(() -> {
                while (taken[0] < 2000) {
                    assertThat(pair.subscribers.await(pair.deadline)).isTrue();
                    pair.subscribers.poll((channel, memory, offset, length) -> taken[0]++, 4);
                }
            });
            MemorySegment message = MemorySegment.ofArray(new byte[64]);
            for (int i = 0; i < 2000; ) {
                if (pair.out.publisher().offer(message, 0, 64) > 0) {
                    i++;
                } else {
                    assertThat(pair.publishers.await(pair.deadline)).isTrue();
                }
            }
            while (!sleeper.isDone()) {
                pair.publishers.await(Deadline.in(20, TimeUnit.MILLISECONDS));
            }
            sleeper.join();
            while (pair.publishers.await(Deadline.now())) {
                assertThat(pair.deadline.passed()).isFalse();
            }
        }
    }

    @Test
    void allocatesNothing() {
        try (Pair pair = new Pair(form, form.small())) {
            MemorySegment message = MemorySegment.ofArray(new byte[1000]);
            long[] taken = {0};
            MessageHandler handler = (channel, memory, offset, length) -> taken[0] += memory.get(JAVA_LONG, offset) + 1;
            Allocation.expectNone(5000, 100, () -> {
                for (int i = 0; i < 5000; i++) {
                    while (pair.out.publisher().offer(message, 0, i % 8 == 0 ? 1000 : 100) < 0) {
                        pair.subscribers.poll(handler, 16);
                    }
                }
            });
            assertThat(taken[0]).isPositive();
        }
    }

    /** The one that leaves first has taken everything, which the other one, leaving too, learns in time. */
    @Test
    void bothSidesDisconnectInOrderAfterRequestsAndAnswers() throws Exception {
        for (int round = 0; round < 20; round++) {
            try (Pair pair = new Pair(form, form.small())) {
                var answering = CompletableFuture.runAsync(() -> {
                    while (!pair.in.subscriber().isClosed()) {
                        pair.subscribers.poll(
                                (channel, memory, offset, length) -> assertThat(
                                                channel.publisher().offer(memory, offset, length))
                                        .isPositive(),
                                16);
                    }
                    pair.in.disconnect(pair.deadline);
                });
                int[] answers = {0};
                for (int i = 1; i < 4; i++) {
                    assertThat(pair.out.publisher().offer(MemorySegment.ofArray(new byte[8]), 0, 8))
                            .isPositive();
                    while (answers[0] < i) {
                        pair.publishers.poll((channel, memory, offset, length) -> answers[0]++, 1);
                    }
                }
                pair.out.disconnect(pair.deadline);
                answering.get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void batchesUntilFlushed() {
        try (Pair pair = new Pair(form, form.small().withBatching(true))) {
            Taken taken = new Taken();
            for (int i = 0; i < 4; i++) {
                taken.expected.add(Pair.message(i, 20));
                pair.publish(Pair.message(i, 20), taken);
            }
            pair.subscribers.poll(taken, 10);
            assertThat(taken.count).isZero();
            pair.out.publisher().flush();
            while (taken.count < 4) {
                assertThat(pair.deadline.passed()).isFalse();
                pair.subscribers.poll(taken, 10);
            }
            taken.expected.add(Pair.message(5, 20));
            pair.publish(Pair.message(5, 20), taken);
            // The group's poll sends what waits.
            pair.until(taken, () -> taken.count == 5);
        }
    }
}
