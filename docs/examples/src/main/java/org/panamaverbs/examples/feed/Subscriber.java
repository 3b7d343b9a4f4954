package org.panamaverbs.examples.feed;

import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.MulticastConfig;
import org.panamaverbs.api.cm.MulticastMembership;
import org.panamaverbs.channel.Channel;
import org.panamaverbs.channel.ChannelGroup;
import org.panamaverbs.channel.Claim;
import org.panamaverbs.memory.RegisteredBuffer;

/** One subscriber: takes the updates in their order, and asks for those that did not come. */
final class Subscriber {
    /** More than may come while it asks; what finds no receive is lost, and nobody is told. */
    private static final int RECEIVES = 1024;

    /** A datagram is received behind 40 bytes for the global route header. */
    private static final int HEADER_BYTES = 40;

    private static final int DATAGRAM_BYTES = HEADER_BYTES + UpdateLayout.BYTES;

    private final RegisteredBuffer received;
    private final QueuePair datagrams;
    private final ChannelGroup group;
    private final Channel channel;
    private final Deadline deadline;
    private final Sequence sequence = new Sequence();

    private Subscriber(
            RegisteredBuffer received, QueuePair datagrams, ChannelGroup group, Channel channel, Deadline deadline) {
        this.received = received;
        this.datagrams = datagrams;
        this.group = group;
        this.channel = channel;
        this.deadline = deadline;
    }

    /** Takes all updates; returns what was missed on the way. */
    static Sequence run(Verbs verbs, InetSocketAddress publisher, Terms terms, Deadline deadline) {
        try (var domain = verbs.protectionDomain();
                var received = domain.allocate((long) RECEIVES * DATAGRAM_BYTES, LOCAL_WRITE);
                var arrivals = verbs.completionQueue(RECEIVES);
                var group = ChannelGroup.open(verbs, terms.channels());
                var datagrams = domain.queuePair(QueuePairConfig.of(domain, arrivals)
                        .withType(QueuePairType.UD)
                        .withDepth(1, RECEIVES))) {
            Channel channel = group.connect(publisher, deadline);
            var subscriber = new Subscriber(received, datagrams, group, channel, deadline);
            for (int slot = 0; slot < RECEIVES; slot++) {
                subscriber.postReceive(slot);
            }
            try (var feed = join(verbs, channel.connection().localAddress(), datagrams, terms, deadline)) {
                subscriber.tell(RequestLayout.READY, 0);
                subscriber.takeAll(arrivals, terms.updates(), feed);
                subscriber.tell(RequestLayout.DONE, 0);
                channel.disconnect(deadline);
            }
            return subscriber.sequence;
        }
    }

    /** Joins the group by the interface that leads to the publisher. */
    private static MulticastMembership join(
            Verbs verbs, InetSocketAddress here, QueuePair datagrams, Terms terms, Deadline deadline) {
        var config = MulticastConfig.defaults().withLocalAddress(here.getAddress());
        return verbs.joinMulticast(terms.group(), datagrams, config, deadline);
    }

    private void takeAll(CompletionQueue arrivals, long updates, MulticastMembership group) {
        var completions = WorkCompletions.ofCapacity(64);
        while (sequence.next() < updates) {
            if (!group.isJoined()) {
                throw new IllegalStateException("subscriber: the membership of " + group.group() + " has ended");
            }
            int count = arrivals.poll(completions, deadline);
            for (int i = 0; i < count; i++) {
                int slot = (int) check(completions.get(i)).wrId();
                long at = (long) slot * DATAGRAM_BYTES + HEADER_BYTES;
                long number = UpdateLayout.number(received.segment(), at);
                long price = UpdateLayout.price(received.segment(), at);
                postReceive(slot);
                if (sequence.missingBefore(number) > 0) {
                    fill(number);
                }
                if (price != UpdateLayout.HEARTBEAT) {
                    take(number, price);
                }
            }
        }
    }

    /** Has everything before {@code end} repeated. */
    private void fill(long end) {
        while (sequence.next() < end) {
            tell(RequestLayout.REPEAT, sequence.next());
            while (channel.subscriber().poll(this::takeReply, 1) == 0) {
                if (channel.subscriber().isClosed()) {
                    throw new IllegalStateException("subscriber: no reply: " + channel);
                }
                if (!group.await(deadline)) {
                    throw new DeadlineExceededException("feed", "the publisher has not replied");
                }
            }
        }
    }

    private void takeReply(Channel from, MemorySegment reply, long offset, int length) {
        if (length == 0) {
            throw new IllegalStateException(
                    "subscriber: update " + sequence.next() + " is not in the publisher's history"
                            + " any more: a program would begin anew from a snapshot; here, ask for a lower --rate");
        }
        for (long at = offset; at < offset + length; at += UpdateLayout.BYTES) {
            take(UpdateLayout.number(reply, at), UpdateLayout.price(reply, at));
        }
    }

    /** Takes an update whose turn it is, and leaves one that was repeated and comes once more. */
    private void take(long number, long price) {
        if (sequence.take(number) && price != UpdateLayout.rightPrice(number)) {
            throw new IllegalStateException("subscriber: update " + number + " has the price " + price);
        }
    }

    private void tell(long kind, long from) {
        long result = channel.publisher().tryClaim(RequestLayout.BYTES);
        if (result < 0) {
            // One request is under way, so there is room.
            throw new IllegalStateException(
                    "subscriber: " + channel + ": " + org.panamaverbs.channel.Publisher.text(result));
        }
        Claim request = channel.publisher().claim();
        RequestLayout.put(request.segment(), request.offset(), kind, from);
        request.commit();
    }

    private void postReceive(int slot) {
        PostStatus.check(datagrams.recv(slot, received, (long) slot * DATAGRAM_BYTES, DATAGRAM_BYTES));
    }

    private static WorkCompletion check(WorkCompletion completion) {
        if (!completion.ok()) {
            throw new IllegalStateException("subscriber: " + completion);
        }
        return completion;
    }
}
