package org.panamaverbs.channel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Listener;

/** Many channels of one group and thread, to a group of another process. */
class ManyChannelsTest {
    private static final int ROUNDS = 20;
    private static final int SPARE_FILES = 100;
    private static final Pair.Form FORM = Pair.Form.SENDS_OVER_TCP;

    private static ChannelConfig config(int count) {
        return FORM.small().withMaxChannels(count);
    }

    /** One message of each channel fits no receive, so that it is written. */
    private static int length(long number) {
        return number == ROUNDS / 2 ? 300 : 8;
    }

    private static void publish(Publisher publisher, long number) {
        long position = publisher.tryClaim(length(number));
        // Less than the window: never back-pressured.
        assertThat(position).as(Publisher.text(position)).isPositive();
        publisher.claim().segment().set(JAVA_LONG, publisher.claim().offset(), number);
        publisher.claim().commit();
    }

    /** Connects, publishes numbers on all channels in turn, and takes as many answers. */
    static final class Peer {
        private Peer() {}

        public static void main(String[] arguments) {
            var server = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
            int count = Integer.parseInt(arguments[1]);
            Deadline deadline = Deadline.in(280, TimeUnit.SECONDS);
            try (Verbs verbs = Verbs.open(FORM.provider());
                    ChannelGroup group = ChannelGroup.open(verbs, config(count))) {
                Channel[] channels = new Channel[count];
                for (int i = 0; i < count; i++) {
                    channels[i] = group.connect(server, deadline);
                }
                for (int round = 0; round < ROUNDS; round++) {
                    for (Channel each : channels) {
                        publish(each.publisher(), round);
                    }
                }
                await(group, count * ROUNDS, deadline, false);
            }
        }
    }

    /** Takes messages, of each channel in order, and sends them back if asked to. */
    private static void await(ChannelGroup group, int messages, Deadline deadline, boolean answers) {
        Map<Channel, Long> next = new HashMap<>();
        for (int taken = 0; taken < messages; ) {
            assertThat(group.await(deadline)).isTrue();
            taken += group.poll(
                    (channel, memory, offset, length) -> {
                        long number = memory.get(JAVA_LONG, offset);
                        assertThat(length).isEqualTo(length(number));
                        assertThat(number).isEqualTo(next.getOrDefault(channel, 0L));
                        next.put(channel, number + 1);
                        if (answers) {
                            publish(channel.publisher(), number);
                        }
                    },
                    4);
        }
    }

    @Test
    @Timeout(300)
    void oneThreadServesAllInOrder() throws Exception {
        serve(500);
    }

    @Test
    @Tag("proof")
    @Timeout(300)
    void oneThreadServesTenThousandInOrder() throws Exception {
        serve(10_000);
    }

    /** A connection is a file of each process; a hundred are the Java machine's and the provider's. */
    private static void assumeFiles(int count) throws IOException {
        try (Stream<String> limits = Files.lines(Path.of("/proc/self/limits"))) {
            String open = limits.filter(each -> each.startsWith("Max open files"))
                    .findFirst()
                    .orElseThrow();
            String most = open.substring("Max open files".length()).trim().split("\\s+", 2)[0];
            Assumptions.assumeThat(most.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(most))
                    .as("open files (ulimit -n), of which %d channels need %d", count, count + SPARE_FILES)
                    .isGreaterThanOrEqualTo(count + SPARE_FILES);
        }
    }

    private static void serve(int count) throws Exception {
        assumeFiles(count);
        Deadline deadline = Deadline.in(280, TimeUnit.SECONDS);
        try (Verbs verbs = Verbs.open(FORM.provider());
                ChannelGroup group = ChannelGroup.open(verbs, config(count));
                Listener listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Process peer = Pair.start(
                    Peer.class, String.valueOf(listener.localAddress().getPort()), String.valueOf(count));
            try {
                for (int i = 0; i < count; i++) {
                    group.accept(listener.accept(deadline), deadline);
                }
                assertThat(group.size()).isEqualTo(count);
                await(group, count * ROUNDS, deadline, true);
                assertThat(peer.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(peer.exitValue()).isZero();
            } finally {
                peer.destroyForcibly();
            }
        }
    }
}
