package org.panamaverbs.ibverbs.channel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.channel.Channel;
import org.panamaverbs.channel.ChannelConfig;
import org.panamaverbs.channel.ChannelGroup;
import org.panamaverbs.channel.MessageHandler;
import org.panamaverbs.channel.Publisher;
import org.panamaverbs.channel.Way;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Waits;

/** Channels, each way that the device has, over libibverbs. Both ends are polled by one thread. */
@Timeout(600)
public abstract class ChannelCases extends Conformance {
    private ChannelGroup connecting;
    private ChannelGroup accepting;
    private Channel out;
    private Channel in;

    /** Connects, with rings of 4 KiB and receives of 256 bytes: everything wraps soon. */
    private void connect(Way way) {
        Verbs here = openA();
        Verbs there = openB();
        if (way == Way.RING) {
            requires(here, Feature.WRITE_WITH_IMMEDIATE);
            requires(there, Feature.WRITE_WITH_IMMEDIATE);
        }
        ChannelConfig config =
                ChannelConfig.defaults().withWay(way).withRingBytes(4096).withReceives(64, 256);
        connecting = resources().add(ChannelGroup.open(here, config));
        accepting = resources().add(ChannelGroup.open(there, config));
        Listener listener = resources().add(there.listen(provider().listenAddress()));
        Background<Channel> other =
                Background.start("connect", () -> connecting.connect(listener.localAddress(), Waits.deadline()));
        in = accepting.accept(listener.accept(Waits.deadline()), Waits.deadline());
        out = other.await(Waits.deadline());
        assertThat(out.way()).isEqualTo(way);
    }

    private void until(MessageHandler outs, MessageHandler ins, BooleanSupplier done) {
        var deadline = Waits.deadline();
        while (!done.getAsBoolean()) {
            assertThat(deadline.passed()).as("not done before the deadline").isFalse();
            connecting.poll(outs, 16);
            accepting.poll(ins, 16);
        }
    }

    private static byte[] message(int number, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (number * 31 + i);
        }
        return bytes;
    }

    @ParameterizedTest
    @EnumSource
    void carriesMessagesOfAllSizesInOrder(Way way) {
        connect(way);
        Deque<byte[]> expected = new ArrayDeque<>();
        MessageHandler takes = (channel, memory, offset, length) ->
                assertThat(memory.asSlice(offset, length).toArray(JAVA_BYTE)).isEqualTo(expected.remove());
        int longest = out.publisher().maxMessageLength();
        for (int length = 0; length <= longest; length += 3) {
            byte[] message = message(length, length);
            expected.add(message);
            MemorySegment bytes = MemorySegment.ofArray(message);
            long[] position = {0};
            until(takes, takes, () -> {
                position[0] = out.publisher().offer(bytes, 0, message.length);
                return position[0] != Publisher.BACK_PRESSURED;
            });
            assertThat(position[0]).as(Publisher.text(position[0])).isPositive();
        }
        until(takes, takes, expected::isEmpty);
    }

    private static int fill(Publisher publisher, int from) {
        int number = from;
        while (publisher.tryClaim(8) > 0) {
            publisher.claim().segment().set(JAVA_LONG, publisher.claim().offset(), number++);
            publisher.claim().commit();
        }
        return number;
    }

    @ParameterizedTest
    @EnumSource
    void bothDirectionsFullDoNotWaitForEachOther(Way way) {
        connect(way);
        int[] sent = new int[2];
        int[] taken = new int[2];
        for (int round = 0; round < 20; round++) {
            // Nobody polls: a slow subscriber is back-pressure, and the connection stays.
            sent[0] = fill(out.publisher(), sent[0]);
            sent[1] = fill(in.publisher(), sent[1]);
            assertThat(out.publisher().tryClaim(8)).isEqualTo(Publisher.BACK_PRESSURED);
            MessageHandler outs = (channel, memory, offset, length) ->
                    assertThat(memory.get(JAVA_LONG, offset)).isEqualTo(taken[1]++);
            MessageHandler ins = (channel, memory, offset, length) ->
                    assertThat(memory.get(JAVA_LONG, offset)).isEqualTo(taken[0]++);
            until(outs, ins, () -> taken[0] == sent[0] && taken[1] == sent[1]);
        }
        assertThat(out.state()).isEqualTo(Channel.State.OPEN);
    }

    @ParameterizedTest
    @EnumSource
    void keepsMessagesThatAreReleasedInAnyOrder(Way way) {
        connect(way);
        Random random = new Random(7);
        List<Long> positions = new ArrayList<>();
        int[] taken = {0};
        int sent = 0;
        for (int round = 0; round < 20; round++) {
            sent = fill(out.publisher(), sent);
            int all = sent;
            until(
                    (channel, memory, offset, length) -> {},
                    (channel, memory, offset, length) -> {
                        assertThat(memory.get(JAVA_LONG, offset)).isEqualTo(taken[0]++);
                        if (positions.size() < 32) {
                            positions.add(channel.subscriber().keep());
                        }
                        if (positions.size() == 32) {
                            long named = channel.subscriber().position();
                            Collections.shuffle(positions, random);
                            positions.stream()
                                    .filter(each -> each <= named)
                                    .toList()
                                    .forEach(channel.subscriber()::release);
                            positions.removeIf(each -> each <= named);
                        }
                    },
                    () -> taken[0] == all);
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsInOrder(Way way) {
        connect(way);
        int sent = fill(out.publisher(), 0);
        int[] taken = {0};
        Background<Boolean> leaving = Background.start("disconnect", () -> {
            out.disconnect(Waits.deadline());
            return true;
        });
        var deadline = Waits.deadline();
        while (!in.subscriber().isClosed()) {
            assertThat(deadline.passed()).isFalse();
            accepting.poll((channel, memory, offset, length) -> taken[0]++, 16);
        }
        assertThat(taken[0]).isEqualTo(sent);
        assertThat(in.subscriber().isEnded()).isTrue();
        assertThat(leaving.await(Waits.deadline())).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void saysThatTheConnectionWasLost(Way way) {
        connect(way);
        in.close();
        until(
                (channel, memory, offset, length) -> {},
                (channel, memory, offset, length) -> {},
                () -> out.state() == Channel.State.LOST);
        assertThat(out.publisher().tryClaim(8)).isEqualTo(Publisher.NOT_CONNECTED);
        assertThat(out.failure()).isPresent();
    }

    @ParameterizedTest
    @EnumSource
    void sleepsUntilAMessageComes(Way way) {
        connect(way);
        Background<Boolean> sleeping = Background.start("await", () -> {
            int count = 0;
            while (count == 0) {
                assertThat(accepting.await(Waits.deadline())).isTrue();
                count = accepting.poll((channel, memory, offset, length) -> {}, 16);
            }
            return true;
        });
        assertThat(out.publisher().tryClaim(8)).isPositive();
        out.publisher().claim().commit();
        assertThat(sleeping.await(Waits.deadline())).isTrue();
    }
}
