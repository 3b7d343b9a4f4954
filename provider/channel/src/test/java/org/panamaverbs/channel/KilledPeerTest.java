package org.panamaverbs.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Listener;

/** Peers in processes of their own that are killed (-9): what arrived is whole and in order, and the loss is seen. */
@Timeout(120)
@ParameterizedClass
@EnumSource
class KilledPeerTest {
    private final Pair.Form form;
    private final Deadline deadline = Deadline.in(60, TimeUnit.SECONDS);

    KilledPeerTest(Pair.Form form) {
        this.form = form;
    }

    /** Publishes numbered messages for ever, or takes them for ever. */
    static final class Peer {
        private Peer() {}

        public static void main(String[] arguments) {
            Pair.Form form = Pair.Form.valueOf(arguments[1]);
            var server = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
            try (Verbs verbs = Verbs.open(form.provider());
                    ChannelGroup group = ChannelGroup.open(verbs, form.small())) {
                Channel channel = group.connect(server, Deadline.in(60, TimeUnit.SECONDS));
                MessageHandler nothing = (from, memory, offset, length) -> {};
                for (int number = 0; channel.state() == Channel.State.OPEN; ) {
                    if (arguments[2].equals("publish")) {
                        byte[] message = Pair.message(number, number % 500);
                        if (channel.publisher().offer(MemorySegment.ofArray(message), 0, message.length) > 0) {
                            number++;
                        }
                    }
                    group.poll(nothing, 16);
                }
            }
        }
    }

    private Process start(Listener listener, String role) throws Exception {
        return Pair.start(Peer.class, String.valueOf(listener.localAddress().getPort()), form.name(), role);
    }

    @Test
    void theSubscriberHasAWholePrefixAndSeesTheLoss() throws Exception {
        int[] taken = {0};
        MessageHandler handler = (channel, memory, offset, length) -> {
            assertThat(Pair.bytes(memory, offset, length)).isEqualTo(Pair.message(taken[0], taken[0] % 500));
            taken[0]++;
        };
        try (Verbs verbs = Verbs.open(form.provider());
                ChannelGroup group = ChannelGroup.open(verbs, form.small());
                Listener listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Process peer = start(listener, "publish");
            try {
                Channel channel = group.accept(listener.accept(deadline), deadline);
                while (!channel.subscriber().isClosed()) {
                    assertThat(deadline.passed()).isFalse();
                    group.poll(handler, 16);
                    if (taken[0] > 2000 && peer.isAlive()) {
                        assertThat(peer.destroyForcibly().waitFor(60, TimeUnit.SECONDS))
                                .isTrue();
                    }
                }
                assertThat(channel.state()).isEqualTo(Channel.State.LOST);
                assertThat(channel.subscriber().isEnded()).isFalse();
                assertThat(taken[0]).isGreaterThan(2000);
            } finally {
                peer.destroyForcibly();
            }
        }
    }

    @Test
    void thePublisherSeesTheLossAndWhatWasReleased() throws Exception {
        try (Verbs verbs = Verbs.open(form.provider());
                ChannelGroup group = ChannelGroup.open(verbs, form.small());
                Listener listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Process peer = start(listener, "take");
            try {
                Channel channel = group.accept(listener.accept(deadline), deadline);
                Publisher publisher = channel.publisher();
                MemorySegment message = MemorySegment.ofArray(new byte[100]);
                long result = 1;
                while (result != Publisher.NOT_CONNECTED) {
                    assertThat(deadline.passed()).isFalse();
                    result = publisher.offer(message, 0, 100);
                    if (publisher.releasedPosition() > 100_000 && peer.isAlive()) {
                        assertThat(peer.destroyForcibly().waitFor(60, TimeUnit.SECONDS))
                                .isTrue();
                    }
                }
                assertThat(publisher.releasedPosition()).isBetween(100_000L, publisher.position());
                assertThat(channel.failure())
                        .get()
                        .extracting(Throwable::getMessage)
                        .asString()
                        .contains("the connection was lost (the peer ")
                        .contains("the peer has released up to position " + publisher.releasedPosition());
            } finally {
                peer.destroyForcibly();
            }
        }
    }
}
