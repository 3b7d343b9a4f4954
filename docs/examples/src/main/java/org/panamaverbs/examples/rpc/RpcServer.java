package org.panamaverbs.examples.rpc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.channel.Channel;
import org.panamaverbs.channel.ChannelConfig;
import org.panamaverbs.channel.ChannelException;
import org.panamaverbs.channel.ChannelGroup;
import org.panamaverbs.channel.Publisher;
import org.panamaverbs.channel.Responder;
import org.panamaverbs.examples.command.TwoEnds;

/**
 * The server: one thread that accepts, and answers a number with its square, and sleeps when there is nothing to do.
 */
final class RpcServer {
    private final TwoEnds ends;
    private final ChannelGroup group;
    private final Responder responder = Responder.of(this::answer);
    private final List<Channel> channels = new ArrayList<>();
    private int most;
    private int gone;
    private long served;

    private RpcServer(TwoEnds ends, ChannelGroup group) {
        this.ends = ends;
        this.group = group;
    }

    static void run(TwoEnds ends, ChannelConfig config) {
        try (var verbs = Verbs.open();
                var group = ChannelGroup.open(verbs, config);
                var events = verbs.eventQueue();
                var listener = verbs.listen(ends.listenAddress())) {
            events.add(listener, null);
            events.add(group.completionChannel(), null);
            ends.listening(listener.localAddress());
            var server = new RpcServer(ends, group);
            Events happened = Events.ofCapacity(64);
            while (server.gone < config.maxChannels()) {
                if (ends.deadline().passed()) {
                    throw new DeadlineExceededException(
                            "server", server.gone + " of " + config.maxChannels() + " clients have gone in time");
                }
                events.await(happened, ends.deadline());
                for (int i = 0; i < happened.count(); i++) {
                    server.accept(happened.get(i));
                }
                // Arms for the next wait, of which there is none once the last client has left.
                server.serve();
            }
            ends.say(
                    "server: %,d calls of %,d clients, %,d at once, on one thread",
                    server.served, server.gone, server.most);
        }
    }

    private void accept(Event event) {
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                channels.add(group.accept(event.request(), ends.deadline()));
                most = Math.max(most, channels.size());
            }
            case COMPLETION -> {} // which serve is about to take
            default -> throw new IllegalStateException("server: " + event);
        }
    }

    /** Takes everything, until an event will say that there is more. */
    private void serve() {
        while (group.arm()) {
            group.poll(responder, 16);
        }
        channels.removeIf(this::hasLeft);
    }

    private boolean hasLeft(Channel channel) {
        if (!channel.subscriber().isClosed()) {
            return false;
        }
        gone++;
        if (channel.subscriber().isEnded()) {
            try {
                channel.disconnect(ends.deadline());
            } catch (ChannelException e) {
                lost(e);
            }
        } else {
            channel.failure().ifPresent(this::lost);
            channel.close();
        }
        return true;
    }

    /** The others go on when a client is killed. */
    private void lost(ChannelException why) {
        ends.say("server: %s", why);
    }

    private void answer(Channel channel, long id, MemorySegment memory, long offset, int length) {
        long result = Responder.tryClaim(channel, id, Long.BYTES);
        if (result < 0) {
            // One call of each client is under way, so its answer has room.
            throw new IllegalStateException("server: " + channel + ": " + Publisher.text(result));
        }
        long argument = memory.get(ValueLayout.JAVA_LONG, offset);
        var claim = channel.publisher().claim();
        claim.segment().set(ValueLayout.JAVA_LONG, claim.offset(), argument * argument);
        claim.commit();
        served++;
    }
}
