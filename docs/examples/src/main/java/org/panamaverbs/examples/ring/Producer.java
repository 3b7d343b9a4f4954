package org.panamaverbs.examples.ring;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.channel.Channel;
import org.panamaverbs.channel.ChannelConfig;
import org.panamaverbs.channel.ChannelGroup;
import org.panamaverbs.channel.Claim;
import org.panamaverbs.channel.Publisher;
import org.panamaverbs.examples.command.TwoEnds;

/** The side that fills the ring: it connects, and writes records into registered memory. */
final class Producer {
    private Producer() {}

    static void run(TwoEnds ends, ChannelConfig config, byte[] message, long records) throws Exception {
        var server = ends.server();
        try (var verbs = Verbs.open();
                var group = ChannelGroup.open(verbs, config)) {
            Channel channel = group.connect(server, ends.deadline());
            long begin = System.nanoTime();
            for (long number = 0; number < records; number++) {
                publish(ends, group, channel.publisher(), number, message);
            }
            // Returns when the consumer has taken everything.
            channel.disconnect(ends.deadline());
            double seconds = (System.nanoTime() - begin) / 1e9;
            ends.say("producer: %,d records in %.3f s, %,.0f a second", records, seconds, records / seconds);
        }
    }

    private static void publish(TwoEnds ends, ChannelGroup group, Publisher publisher, long number, byte[] message) {
        long position = publisher.tryClaim(Ring.NUMBER_BYTES + message.length);
        while (position == Publisher.BACK_PRESSURED && group.await(ends.deadline())) {
            position = publisher.tryClaim(Ring.NUMBER_BYTES + message.length);
        }
        if (position < 0) {
            throw new IllegalStateException("producer: record " + number + ": " + Publisher.text(position));
        }
        Claim claim = publisher.claim();
        claim.segment().set(ValueLayout.JAVA_LONG, claim.offset(), number);
        MemorySegment.copy(
                message, 0, claim.segment(), ValueLayout.JAVA_BYTE, claim.offset() + Ring.NUMBER_BYTES, message.length);
        claim.commit();
    }
}
