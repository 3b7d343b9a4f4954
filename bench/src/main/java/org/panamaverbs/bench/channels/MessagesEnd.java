package org.panamaverbs.bench.channels;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.bench.loopback.exchange.End;
import org.panamaverbs.bench.loopback.exchange.SpinningEnd;
import org.panamaverbs.channel.Channel;
import org.panamaverbs.channel.ChannelConfig;
import org.panamaverbs.channel.ChannelGroup;
import org.panamaverbs.channel.Claim;
import org.panamaverbs.channel.MessageHandler;
import org.panamaverbs.channel.Publisher;
import org.panamaverbs.channel.Way;

/** By channels of one group. */
final class MessagesEnd extends SpinningEnd {
    private static final int LIMIT = 256;

    private final Verbs verbs;
    private final ChannelGroup group;
    private final Channel[] channels;
    private final int burst;
    private final int bytes;
    private final MessageHandler answers = this::answer;
    private final MessageHandler comes = this::come;
    private int missing;

    MessagesEnd(Task task, OpenConfig provider, int port) {
        pace(task.pace());
        burst = task.burst();
        bytes = task.bytes();
        channels = new Channel[task.connections()];
        verbs = Verbs.open(provider);
        // Who asks once at a time has nothing to batch, and neither has who answers.
        group = ChannelGroup.open(
                verbs, ChannelConfig.defaults().withWay(Way.valueOf(task.way())).withBatching(port != 0 && burst > 1));
        Deadline soon = Deadline.in(30, TimeUnit.SECONDS);
        if (port == 0) {
            try (Listener listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
                End.listening(listener.localAddress().getPort());
                for (int i = 0; i < channels.length; i++) {
                    channels[i] = group.accept(listener.accept(soon), soon);
                }
            }
        } else {
            for (int i = 0; i < channels.length; i++) {
                channels[i] = group.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), soon);
            }
        }
    }

    private void publish(Publisher publisher, long word) {
        long position = publisher.tryClaim(bytes);
        while (position < 0) {
            if (position != Publisher.BACK_PRESSURED) {
                throw new IllegalStateException(Publisher.text(position));
            }
            Thread.onSpinWait();
            position = publisher.tryClaim(bytes);
        }
        Claim claim = publisher.claim();
        claim.segment().set(JAVA_LONG, claim.offset(), word);
        claim.commit();
    }

    private void answer(Channel channel, MemorySegment memory, long offset, int length) {
        if (memory.get(JAVA_LONG, offset) == Task.ASKING) {
            publish(channel.publisher(), 0);
        }
    }

    private void come(Channel channel, MemorySegment memory, long offset, int length) {
        missing--;
    }

    @Override
    protected boolean answer(boolean polls) {
        return group.poll(answers, LIMIT) > 0;
    }

    @Override
    protected void ask() {
        missing = channels.length;
        for (int i = channels.length; i < burst; ) {
            for (int each = 0; each < channels.length && i < burst; each++, i++) {
                publish(channels[each].publisher(), 0);
            }
        }
        for (Channel each : channels) {
            publish(each.publisher(), Task.ASKING);
            each.publisher().flush();
        }
    }

    @Override
    protected boolean hasCome(boolean polls) {
        group.poll(comes, LIMIT);
        return missing == 0;
    }

    @Override
    public void close() {
        rest();
        group.close();
        verbs.close();
    }
}
