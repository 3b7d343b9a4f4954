package org.panamaverbs.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionConfig;

/** Many channels of one thread, and ends that are configured otherwise. */
@Timeout(240)
class ChannelGroupTest {
    /** A thousand channels, all with messages and one that nobody takes from: the others go on. */
    @ParameterizedTest
    @EnumSource(names = {"SENDS_OVER_TCP", "RING_OVER_SHARED_MEMORY"})
    void servesManyChannelsInTurn(Pair.Form form) {
        int count = form == Pair.Form.SENDS_OVER_TCP ? 1000 : 200;
        ChannelConfig config = form.small().withMaxChannels(count);
        try (Pair pair = new Pair(form, config)) {
            List<Channel> all = new ArrayList<>(List.of(pair.out));
            while (all.size() < count) {
                all.add(pair.connect()[0]);
            }
            assertThat(pair.subscribers.size()).isEqualTo(count);
            Map<Channel, Integer> taken = new HashMap<>();
            int[] sum = {0};
            MessageHandler handler = (channel, memory, offset, length) -> {
                int number = taken.merge(channel, 1, Integer::sum) - 1;
                assertThat(Pair.bytes(memory, offset, length)).isEqualTo(Pair.message(number, 30));
                sum[0]++;
            };
            for (int i = 0; i < 20; i++) {
                byte[] message = Pair.message(i, 30);
                for (Channel channel : all) {
                    while (channel.publisher().offer(MemorySegment.ofArray(message), 0, 30) < 0) {
                        pair.subscribers.poll(handler, 4);
                    }
                }
            }
            pair.until(handler, () -> sum[0] == 20 * count);
            assertThat(taken).hasSize(count);
        }
    }

    @Test
    void aStalledChannelHoldsNoOtherUp() {
        Pair.Form form = Pair.Form.RING_OVER_TCP;
        try (Pair pair = new Pair(form, form.small())) {
            Channel[] second = pair.connect();
            MemorySegment message = MemorySegment.ofArray(new byte[100]);
            List<Long> kept = new ArrayList<>();
            int[] taken = {0};
            MessageHandler handler = (channel, memory, offset, length) -> {
                if (channel == pair.in) {
                    kept.add(channel.subscriber().keep());
                } else {
                    taken[0]++;
                }
            };
            while (taken[0] < 5000) {
                if (pair.out.publisher().tryClaim(8) > 0) {
                    pair.out.publisher().claim().commit();
                }
                if (second[0].publisher().offer(message, 0, 100) < 0) {
                    pair.subscribers.poll(handler, 4);
                }
            }
            assertThat(pair.out.publisher().tryClaim(8)).isEqualTo(Publisher.BACK_PRESSURED);
            assertThat(kept).hasSize(64);
            kept.reversed().forEach(pair.in.subscriber()::release);
            pair.until(
                    (channel, memory, offset, length) -> taken[0]++,
                    () -> pair.out.publisher().releasedPosition() > 0);
        }
    }

    /** What one channel's calls find of another one, which may have looked already, ends the next wait. */
    @Test
    void wakesForRoomThatAnotherChannelsPollFound() {
        Pair.Form form = Pair.Form.SENDS_OVER_TCP;
        try (Pair pair = new Pair(form, form.small())) {
            Subscriber other = pair.connect()[0].subscriber();
            int[] taken = {0};
            int published = Pair.fill(pair.out.publisher());
            while (pair.publishers.await(Deadline.now())) {
                assertThat(pair.deadline.passed()).isFalse();
            }
            while (taken[0] < published || pair.out.publisher().releasedPosition() < 3072) {
                assertThat(pair.deadline.passed()).isFalse();
                pair.subscribers.poll((channel, memory, offset, length) -> taken[0]++, 16);
                other.poll((channel, memory, offset, length) -> {}, 1);
            }
            assertThat(pair.publishers.await(Deadline.now())).isTrue();
            while (pair.publishers.await(Deadline.now())) {
                assertThat(pair.deadline.passed()).isFalse();
            }
        }
    }

    /** The poll that takes an end returns 0: a loop that waits then looks at the channel first. */
    @Test
    void wakesForAnEndThatThePollBeforeHasTaken() {
        Pair.Form form = Pair.Form.SENDS_OVER_TCP;
        MessageHandler nothing = (channel, memory, offset, length) -> {};
        try (Pair pair = new Pair(form, form.small())) {
            assertThat(pair.out.publisher().end()).isPositive();
            while (!pair.in.subscriber().isClosed()) {
                assertThat(pair.subscribers.await(pair.deadline)).isTrue();
                assertThat(pair.subscribers.poll(nothing, 16)).isZero();
            }
            assertThat(pair.subscribers.await(Deadline.now())).isTrue();
        }
    }

    @Test
    void forgetsClosedChannels() {
        Pair.Form form = Pair.Form.RING_OVER_TCP;
        try (Pair pair = new Pair(form, form.small())) {
            Channel in = pair.in;
            List<Long> kept = new ArrayList<>();
            MessageHandler keeper = (channel, memory, offset, length) ->
                    kept.add(channel.subscriber().keep());
            Pair.fill(pair.out.publisher());
            while (kept.isEmpty() || !in.ready) {
                pair.subscribers.poll(keeper, 1);
            }
            int taken = kept.size();
            in.close();
            assertThat(in.ready).isFalse();
            in.subscriber().release(kept.getFirst());
            pair.subscribers.poll(keeper, 1);
            assertThat(in.ready).isFalse();
            assertThat(kept).hasSize(taken);
        }
    }

    /** A request that cannot be accepted is answered as well: the peer does not wait for its deadline. */
    @Test
    void dropsAPeerWhoseRequestItCannotAccept() {
        Pair.Form form = Pair.Form.SENDS_OVER_TCP;
        ChannelConfig refused =
                form.small().withConnection(ConnectionConfig.defaults().with("shm", "off"));
        try (Pair pair = new Pair(form, form.small());
                ChannelGroup others = ChannelGroup.open(pair.verbs, refused)) {
            var connecting = CompletableFuture.supplyAsync(
                    () -> pair.publishers.connect(pair.listener.localAddress(), pair.deadline));
            assertThatThrownBy(() -> others.accept(pair.listener.accept(pair.deadline), pair.deadline))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(connecting::join).hasCauseInstanceOf(ConnectionException.class);
            assertThat(others.size()).isZero();
        }
    }

    @Test
    void saysToBothSidesWhatIsConfiguredOtherwise() {
        Pair.Form form = Pair.Form.SENDS_OVER_TCP;
        ChannelConfig small = form.small();
        for (Map.Entry<String, ChannelConfig> each : Map.of(
                        "the peer has ringBytes 8192, this side 4096",
                        small.withRingBytes(8192),
                        "the peer has receives 128, this side 64",
                        small.withReceives(128, 256),
                        "the peer has receiveBytes 128, this side 256",
                        small.withReceives(64, 128),
                        "the peer has maxMessageLength 100, this side 1016",
                        small.withMaxMessageLength(100),
                        "the peer answers with RING, expected SENDS",
                        small.withWay(Way.RING))
                .entrySet()) {
            ChannelConfig other = each.getValue();
            try (Pair pair = new Pair(form, small)) {
                ChannelGroup others = ChannelGroup.open(pair.verbs, other);
                var connecting = CompletableFuture.supplyAsync(
                        () -> pair.publishers.connect(pair.listener.localAddress(), pair.deadline));
                assertThatThrownBy(() -> others.accept(pair.listener.accept(pair.deadline), pair.deadline))
                        .isInstanceOf(ChannelException.class)
                        .hasMessageEndingWith("; remedy: configure both sides alike");
                assertThatThrownBy(connecting::join)
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(ChannelException.class)
                        .hasMessageContaining(each.getKey() + "; remedy: configure both sides alike");
                others.close();
            }
        }
    }

    /** iWARP has both ways, and Sends are the better one; a side that forces none takes what the peer uses. */
    @Test
    void choosesTheBestWayOfTheDeviceUnlessThePeerHasForcedOne() {
        ChannelConfig any = ChannelConfig.defaults();
        try (Pair pair = new Pair(Pair.Form.SENDS_OVER_TCP, any)) {
            assertThat(pair.in.way()).isEqualTo(Way.SENDS);
        }
        try (Pair pair = new Pair(Pair.Form.RING_OVER_TCP, any.withWay(Way.RING), any)) {
            assertThat(pair.in.way()).isEqualTo(Way.RING);
        }
    }

    /** Other channels go on while nobody answers; what has arrived before the channel was taken is not lost. */
    @ParameterizedTest
    @EnumSource
    void connectsWithoutWaiting(Pair.Form form) {
        try (Pair pair = new Pair(form, form.small().withMaxChannels(2))) {
            PendingChannel attempt = pair.publishers.beginConnect(pair.listener.localAddress(), pair.deadline);
            assertThatThrownBy(attempt::take).hasMessageContaining("; remedy: wait for isDone");
            assertThatThrownBy(() -> pair.publishers.beginConnect(pair.listener.localAddress(), pair.deadline))
                    .hasMessageContaining("it has 2 channels already");
            int[] taken = {0};
            MessageHandler count = (channel, memory, offset, length) -> taken[0]++;
            assertThat(pair.out.publisher().tryClaim(8)).isPositive();
            pair.out.publisher().claim().commit();
            pair.until(count, () -> taken[0] == 1);

            var accepting = CompletableFuture.supplyAsync(
                    () -> pair.subscribers.accept(pair.listener.accept(pair.deadline), pair.deadline));
            while (!attempt.isDone()) {
                assertThat(pair.deadline.passed()).isFalse();
                assertThat(pair.publishers.poll(count, 16)).isZero();
            }
            Publisher other = accepting.join().publisher();
            assertThat(other.tryClaim(8)).isPositive();
            other.claim().commit();
            for (int polls = 0; polls < 1000; polls++) {
                assertThat(pair.publishers.poll(count, 16)).isZero();
            }
            Channel channel = attempt.take();
            pair.until(
                    (from, memory, offset, length) -> {
                        assertThat(from).isSameAs(channel);
                        taken[0]++;
                    },
                    count,
                    () -> taken[0] == 2);
            assertThatThrownBy(attempt::take).hasMessageContaining("was taken or closed; remedy: ");
            attempt.close();
            assertThat(channel.state()).isEqualTo(Channel.State.OPEN);
        }
    }

    @Test
    void abortsAnAttemptThatNobodyAnswers() {
        Pair.Form form = Pair.Form.SENDS_OVER_TCP;
        try (Pair pair = new Pair(form, form.small())) {
            PendingChannel attempt = pair.publishers.beginConnect(pair.listener.localAddress(), pair.deadline);
            attempt.close();
            assertThat(attempt.isDone()).isFalse();
            PendingChannel late = pair.publishers.beginConnect(pair.listener.localAddress(), Deadline.now());
            while (!late.isDone()) {
                assertThat(pair.deadline.passed()).isFalse();
                pair.publishers.poll((from, memory, offset, length) -> {}, 16);
            }
            assertThatThrownBy(late::take).isInstanceOf(DeadlineExceededException.class);
            assertThat(pair.publishers.size()).isEqualTo(1);
            // Closed with the group.
            assertThat(pair.publishers
                            .beginConnect(pair.listener.localAddress(), pair.deadline)
                            .isDone())
                    .isFalse();
        }
    }

    @Test
    void refusesMoreChannelsThanItIsSizedFor() {
        Pair.Form form = Pair.Form.RING_OVER_TCP;
        try (Pair pair = new Pair(form, form.small().withMaxChannels(1))) {
            assertThatThrownBy(() -> pair.publishers.connect(pair.listener.localAddress(), pair.deadline))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("; remedy: raise maxChannels");
            pair.out.close();
            assertThat(pair.publishers.size()).isZero();
            var connecting = CompletableFuture.supplyAsync(
                    () -> pair.publishers.connect(pair.listener.localAddress(), pair.deadline));
            assertThatThrownBy(() -> pair.subscribers.accept(pair.listener.accept(pair.deadline), pair.deadline))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(connecting::join)
                    .hasCauseInstanceOf(ChannelException.class)
                    .hasMessageContaining("; remedy: raise maxChannels there");
        }
    }

    /** Large messages complete besides, but not where all are written, or none is longer than a receive. */
    @ParameterizedTest
    @CsvSource({
        "SENDS, 1016, 150994944, 'receives, raise receiveBytes'",
        "SENDS, 248, 134217728, receives",
        "RING, 1016, 134217728, receives"
    })
    void saysHowManyCompletionsChannelsNeed(Way way, int longest, long completions, String lower) {
        ChannelConfig config = Pair.Form.SENDS_OVER_TCP
                .small()
                .withWay(way)
                .withMaxMessageLength(longest)
                .withMaxChannels(1 << 20);
        try (Verbs verbs = Verbs.open(Pair.Form.SENDS_OVER_TCP.provider())) {
            assertThatThrownBy(() -> ChannelGroup.open(verbs, config))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("channel group: 1048576 channels of 64 receives need " + completions
                            + " completions, and the device has "
                            + verbs.capabilities().maxCqe()
                            + "; remedy: lower maxChannels or " + lower + ", or open several groups");
        }
    }

    @Test
    void refusesImpossibleConfigurations() {
        ChannelConfig config = ChannelConfig.defaults();
        assertThatThrownBy(() -> config.withRingBytes(5000)).hasMessageContaining("; remedy: choose a power of two");
        assertThatThrownBy(() -> config.withReceives(32, 4096)).hasMessageContaining("receives 32, expected 64");
        assertThatThrownBy(() -> config.withReceives(64, 100)).hasMessageContaining("a multiple of 64");
        assertThatThrownBy(() -> config.withRingBytes(1 << 20).withReceives(1 << 11, 1 << 20))
                .hasMessageContaining("bytes of all receives 2147483648, expected 4096 to 1073741824; remedy: ");
        assertThatThrownBy(() -> config.withMaxMessageLength(0)).hasMessageContaining("longest message");
        assertThatThrownBy(() -> config.withMaxMessageLength(65_536)).hasMessageContaining("expected 1 to 65528");
        assertThatThrownBy(() -> config.withMaxChannels(0)).hasMessageContaining("channels 0");
        assertThat(config.toString()).startsWith("ChannelConfig[way=best, ringBytes=262144");
    }

    @Test
    void saysWhatResultsMean() {
        assertThat(Publisher.text(8)).isEqualTo("published up to position 8");
        for (long result :
                List.of(Publisher.NOT_CONNECTED, Publisher.BACK_PRESSURED, Publisher.CLOSED, Publisher.TOO_LONG)) {
            assertThat(Publisher.text(result)).contains("; remedy: ");
        }
        assertThat(Publisher.text(-99)).isEqualTo("unknown result -99");
    }
}
