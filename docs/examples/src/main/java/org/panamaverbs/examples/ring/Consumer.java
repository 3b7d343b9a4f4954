package org.panamaverbs.examples.ring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.channel.Channel;
import org.panamaverbs.channel.ChannelConfig;
import org.panamaverbs.channel.ChannelGroup;
import org.panamaverbs.examples.command.TwoEnds;

/** The side that has the ring. It listens, and takes records where they lie. */
final class Consumer {
    private final TwoEnds ends;
    private long taken;

    private Consumer(TwoEnds ends) {
        this.ends = ends;
    }

    static void run(TwoEnds ends, ChannelConfig config) {
        try (var verbs = Verbs.open();
                var group = ChannelGroup.open(verbs, config);
                var listener = verbs.listen(ends.listenAddress())) {
            ends.listening(listener.localAddress());
            Channel channel = group.accept(listener.accept(ends.deadline()), ends.deadline());
            ends.say("consumer: %s by %s", channel.connection().transport(), channel.way());
            new Consumer(ends).takeAll(group, channel);
            channel.disconnect(ends.deadline());
        }
    }

    private void takeAll(ChannelGroup group, Channel channel) {
        while (!channel.subscriber().isClosed()) {
            if (group.poll(this::take, 64) == 0 && !group.await(ends.deadline())) {
                throw new DeadlineExceededException("ring", "the producer has not ended in time");
            }
        }
        // The end is a message: a producer that disappears does not look like one that is done.
        channel.failure().ifPresent(failure -> {
            throw failure;
        });
        ends.say("consumer: took %,d records", taken);
    }

    private void take(Channel channel, MemorySegment memory, long offset, int length) {
        long number = memory.get(ValueLayout.JAVA_LONG, offset);
        if (number != taken) {
            throw new IllegalStateException("consumer: record " + number + " came where " + taken + " has to be");
        }
        if (number < 3) {
            byte[] text = memory.asSlice(offset + Ring.NUMBER_BYTES, length - Ring.NUMBER_BYTES)
                    .toArray(ValueLayout.JAVA_BYTE);
            ends.say("consumer: record %d says \"%s\"", number, new String(text, UTF_8));
        }
        taken++;
    }
}
