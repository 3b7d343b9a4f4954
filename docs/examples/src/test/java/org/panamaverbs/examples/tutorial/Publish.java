package org.panamaverbs.examples.tutorial;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.panamaverbs.api.*;
import org.panamaverbs.channel.*;

public class Publish {
    static long taken;
    static String last = "";

    public static void main(String[] args) {
        Deadline deadline = Deadline.in(Duration.ofMinutes(5));
        if (args.length == 1 && args[0].equals("subscriber")) {
            subscribe(deadline);
        } else if (args.length == 4 && args[0].equals("publisher")) {
            publish(new InetSocketAddress(args[1], Integer.parseInt(args[2])), Long.parseLong(args[3]), deadline);
        } else {
            System.err.println("usage: Publish subscriber   or   Publish publisher HOST PORT COUNT");
        }
    }

    static void subscribe(Deadline deadline) {
        try (var verbs = Verbs.open();
                var group = ChannelGroup.open(verbs, ChannelConfig.defaults());
                var listener = verbs.listen(new InetSocketAddress("0.0.0.0", 0))) {
            System.out.println("port " + listener.localAddress().getPort());
            var channel = group.accept(listener.accept(deadline), deadline);
            while (!channel.subscriber().isClosed() && group.await(deadline)) { // asleep if there is nothing
                group.poll(
                        (from, memory, offset, length) -> {
                            last = memory.getString(offset); // where it lies, and only in here
                            taken++;
                        },
                        16);
            }
            System.out.println("took " + taken + " messages, the last one: " + last);
            channel.disconnect(deadline);
        }
    }

    static void publish(InetSocketAddress subscriber, long messages, Deadline deadline) {
        try (var verbs = Verbs.open();
                var group = ChannelGroup.open(verbs, ChannelConfig.defaults())) {
            var channel = group.connect(subscriber, deadline);
            var publisher = channel.publisher();
            for (long number = 1; number <= messages; number++) {
                long position = publisher.tryClaim(32);
                while (position == Publisher.BACK_PRESSURED && group.await(deadline)) {
                    position = publisher.tryClaim(32); // there is room again
                }
                if (position < 0) {
                    throw new IllegalStateException(Publisher.text(position));
                }
                var claim = publisher.claim(); // registered memory, filled in place
                claim.segment().setString(claim.offset(), "message " + number);
                claim.commit();
            }
            channel.disconnect(deadline); // returns when the subscriber has taken everything
        }
    }
}
