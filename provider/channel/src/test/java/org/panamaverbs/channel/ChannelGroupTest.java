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
import org.junit.jupiter.params.provider.EnumSource;

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

    @Test
    void refusesWhatTheOtherSideHasOtherwise() {
        Pair.Form form = Pair.Form.SENDS_OVER_TCP;
        ChannelConfig small = form.small();
        for (ChannelConfig other : List.of(
                small.withRingBytes(8192),
                small.withReceives(128, 256),
                small.withReceives(64, 128),
                small.withMaxMessageLength(100),
                small.withWay(Way.RING))) {
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
                        .hasMessageContaining("; remedy: configure both sides alike");
                others.close();
            }
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
        }
    }

    @Test
    void refusesImpossibleConfigurations() {
        ChannelConfig config = ChannelConfig.defaults();
        assertThatThrownBy(() -> config.withRingBytes(5000)).hasMessageContaining("; remedy: choose a power of two");
        assertThatThrownBy(() -> config.withReceives(32, 4096)).hasMessageContaining("receives 32, expected 64");
        assertThatThrownBy(() -> config.withReceives(64, 100)).hasMessageContaining("a multiple of 64");
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
