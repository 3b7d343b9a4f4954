package org.panamaverbs.examples.rpc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.channel.Channel;
import org.panamaverbs.channel.ChannelConfig;
import org.panamaverbs.channel.ChannelGroup;
import org.panamaverbs.channel.Publisher;
import org.panamaverbs.channel.Requester;
import org.panamaverbs.channel.ResponseHandler;
import org.panamaverbs.examples.command.TwoEnds;

/** All clients, in one thread: each has a channel of its own, and one call under way. */
final class RpcClients implements ResponseHandler {
    private final TwoEnds ends;
    private final int calls;
    private final Requester requester;

    /** How many calls each has made; call n is for the square of n. */
    private final Map<Channel, Integer> made = new HashMap<>();

    private RpcClients(TwoEnds ends, ChannelGroup group, int clients, int calls) {
        this.ends = ends;
        this.calls = calls;
        requester = Requester.of(group, clients, this);
    }

    static void run(TwoEnds ends, ChannelConfig config, int calls) throws Exception {
        var server = ends.server();
        int clients = config.maxChannels();
        try (var verbs = Verbs.open();
                var group = ChannelGroup.open(verbs, config)) {
            List<Channel> channels = new ArrayList<>();
            long begin = System.nanoTime();
            while (channels.size() < clients) {
                channels.add(group.connect(server, ends.deadline()));
            }
            String transport = channels.getFirst().connection().transport();
            double connecting = (System.nanoTime() - begin) / 1e9;
            ends.say("clients: %,d connected in %.3f s, by %s", clients, connecting, transport);

            begin = System.nanoTime();
            new RpcClients(ends, group, clients, calls).makeCalls(channels);
            double seconds = (System.nanoTime() - begin) / 1e9;
            long sum = (long) clients * calls;
            ends.say("clients: %,d calls in %.3f s, %,.0f a second", sum, seconds, sum / seconds);
            // To close without this would be an abort, which the server would take for a failure.
            channels.forEach(channel -> channel.disconnect(ends.deadline()));
        }
    }

    private void makeCalls(List<Channel> channels) {
        channels.forEach(this::call);
        while (requester.outstanding() > 0) {
            if (requester.poll(16) == 0) {
                requester.await(ends.deadline());
            }
        }
    }

    private void call(Channel channel) {
        long number = made.merge(channel, 1, Integer::sum);
        long id = requester.tryClaim(channel, Long.BYTES, ends.deadline());
        if (id < 0) {
            throw new IllegalStateException("clients: " + channel + ": " + Publisher.text(id));
        }
        var claim = channel.publisher().claim();
        claim.segment().set(ValueLayout.JAVA_LONG, claim.offset(), number);
        claim.commit();
    }

    @Override
    public void onResponse(Channel channel, long id, MemorySegment memory, long offset, int length) {
        int number = Objects.requireNonNull(made.get(channel));
        long square = memory.get(ValueLayout.JAVA_LONG, offset);
        if (square != (long) number * number) {
            throw new IllegalStateException("clients: the square of " + number + " is not " + square);
        }
        if (number < calls) {
            call(channel);
        }
    }

    @Override
    public void onNoResponse(Channel channel, long id) {
        throw new IllegalStateException("clients: no response from " + channel);
    }
}
