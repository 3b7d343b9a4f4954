package org.panamaverbs.examples.feed;

import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.MulticastConfig;
import org.panamaverbs.channel.Channel;
import org.panamaverbs.channel.ChannelGroup;
import org.panamaverbs.channel.Claim;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.memory.RegisteredBuffer;

/** Sends each update once to the group, and again, over a channel, to a subscriber that has missed it. */
final class Publisher {
    private static final int DATAGRAMS = 256;
    private static final int SIGNALED_ONE_IN = 64;
    private static final long HEARTBEAT_NANOS = 1_000_000;

    private final TwoEnds ends;
    private final Terms terms;
    private final RegisteredBuffer memory;
    private final History history;
    private final QueuePair datagrams;
    private final CompletionQueue sent;
    private final ChannelGroup subscribers;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(32);
    private final SgList piece = SgList.ofCapacity(1);
    private final List<Channel> channels = new ArrayList<>();

    /** How many datagrams were posted. */
    private long posted;
    /** Of those, how many have left as completions tell, so that their places in the queue are free. */
    private long gone;

    private long lost;
    private long repeated;
    private int ready;
    private int done;

    private Publisher(
            TwoEnds ends,
            Terms terms,
            RegisteredBuffer memory,
            QueuePair datagrams,
            CompletionQueue sent,
            ChannelGroup subscribers) {
        this.ends = ends;
        this.terms = terms;
        this.memory = memory;
        this.history = new History(memory);
        this.datagrams = datagrams;
        this.sent = sent;
        this.subscribers = subscribers;
    }

    static void run(TwoEnds ends, Terms terms) {
        try (var verbs = Verbs.open()) {
            Terms.requireMulticast(verbs);
            try (var domain = verbs.protectionDomain();
                    // The history, and one update more for the heartbeat.
                    var memory = domain.allocate(History.BYTES + UpdateLayout.BYTES);
                    var subscribers = ChannelGroup.open(verbs, terms.channels());
                    var sent = verbs.completionQueue(DATAGRAMS);
                    var datagrams = domain.queuePair(QueuePairConfig.of(domain, sent)
                            .withType(QueuePairType.UD)
                            .withDepth(DATAGRAMS, 1));
                    var listener = verbs.listen(ends.listenAddress())) {
                ends.listening(listener.localAddress());
                new Publisher(ends, terms, memory, datagrams, sent, subscribers).run(verbs, listener);
            }
        }
    }

    private void run(Verbs verbs, Listener listener) {
        Deadline deadline = ends.deadline();
        while (channels.size() < terms.subscribers()) {
            channels.add(subscribers.accept(listener.accept(deadline), deadline));
        }
        // The interface that leads to the subscribers leads to the group, too. Nothing is received from there.
        var membership = MulticastConfig.defaults()
                .withLocalAddress(
                        channels.getFirst().connection().localAddress().getAddress())
                .withSendOnly(true);
        try (var group = verbs.joinMulticast(terms.group(), datagrams, membership, deadline)) {
            while (ready < terms.subscribers() && subscribers.await(deadline)) {
                serve();
            }
            publish(group, deadline);
        }
        ends.say(
                "publisher: %,d updates to %s, %,d of them lost on purpose, %,d repeated",
                history.next(), terms.group().getHostAddress(), lost, repeated);
        channels.forEach(channel -> channel.disconnect(deadline));
    }

    /** Publishes at the rate that was asked for, then heartbeats until all subscribers have everything. */
    private void publish(DatagramDestination group, Deadline deadline) {
        double pause = 1_000_000_000.0 / terms.rate();
        long begin = System.nanoTime();
        while (done < terms.subscribers()) {
            long number = history.next();
            boolean all = number == terms.updates();
            serveUntil(all ? System.nanoTime() + HEARTBEAT_NANOS : begin + (long) (number * pause), deadline);
            if (all) {
                // Without it, a subscriber that has missed the last update would not know. It is the same each time.
                UpdateLayout.put(memory.segment(), History.BYTES, number, UpdateLayout.HEARTBEAT);
                post(group, History.BYTES, deadline);
            } else {
                long at = history.add(UpdateLayout.rightPrice(number));
                if (terms.lose() > 0 && number % terms.lose() == terms.lose() - 1) {
                    lost++;
                } else {
                    post(group, at, deadline);
                }
            }
        }
    }

    /** Sends what lies at {@code at}: one datagram, however many subscribers there are. */
    private void post(DatagramDestination group, long at, Deadline deadline) {
        while (posted - gone == DATAGRAMS) {
            int count = sent.poll(completions, deadline);
            for (int i = 0; i < count; i++) {
                gone = check(completions.get(i)).wrId();
            }
        }
        posted++;
        // The completion of one speaks for all in front of it.
        int flags = posted % SIGNALED_ONE_IN == 0 ? SIGNALED : NONE;
        piece.clear().add(memory, at, UpdateLayout.BYTES);
        PostStatus.check(datagrams.postDatagram(SendOpcode.SEND, posted, piece, group, 0, flags));
    }

    /** Serves who asks until {@code nanos}, at least once. */
    private void serveUntil(long nanos, Deadline deadline) {
        do {
            serve();
            if (deadline.passed()) {
                throw new DeadlineExceededException(
                        "feed", done + " of " + terms.subscribers() + " subscribers have everything");
            }
        } while (System.nanoTime() - nanos < 0);
    }

    private void serve() {
        subscribers.poll(this::take, 16);
        for (Channel channel : channels) {
            // One that has ended in order has everything.
            if (channel.failure().isPresent()
                    && channel.subscriber().isClosed()
                    && !channel.subscriber().isEnded()) {
                throw channel.failure().get();
            }
        }
    }

    private void take(Channel channel, MemorySegment request, long offset, int length) {
        long kind = RequestLayout.kind(request, offset);
        if (kind == RequestLayout.READY) {
            ready++;
        } else if (kind == RequestLayout.DONE) {
            done++;
        } else {
            repeat(channel, RequestLayout.from(request, offset));
        }
    }

    /** Sends updates from {@code from} on; a reply without any says that they are not in the history any more. */
    private void repeat(Channel channel, long from) {
        int count = history.count(from, RequestLayout.MOST);
        long result = channel.publisher().tryClaim(count * UpdateLayout.BYTES);
        if (result < 0) {
            // A subscriber asks again when it has its reply, so there is room.
            throw new IllegalStateException(
                    "publisher: " + channel + ": " + org.panamaverbs.channel.Publisher.text(result));
        }
        Claim reply = channel.publisher().claim();
        history.copy(from, count, reply.segment(), reply.offset());
        reply.commit();
        repeated += count;
    }

    private static WorkCompletion check(WorkCompletion completion) {
        if (!completion.ok()) {
            throw new IllegalStateException("publisher: " + completion);
        }
        return completion;
    }
}
