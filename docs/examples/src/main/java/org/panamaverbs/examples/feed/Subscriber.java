package org.panamaverbs.examples.feed;

import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.MulticastConfig;
import org.panamaverbs.api.cm.MulticastMembership;
import org.panamaverbs.memory.RegisteredBuffer;

/** One subscriber: takes the updates in their order, and asks for those that did not come. */
final class Subscriber {
    /** More than may come while it asks; what finds no receive is lost, and nobody is told. */
    private static final int RECEIVES = 1024;

    /** A datagram is received behind 40 bytes for the global route header. */
    private static final int HEADER_BYTES = 40;

    private static final int DATAGRAM_BYTES = HEADER_BYTES + UpdateLayout.BYTES;

    private final RegisteredBuffer received;
    private final RegisteredBuffer repeated;
    private final QueuePair datagrams;
    private final QueuePair queuePair;
    private final CompletionQueue replies;
    private final Deadline deadline;
    private final Sequence sequence = new Sequence();
    private final MemorySegment request = MemorySegment.ofArray(new byte[RequestLayout.BYTES]);
    private final WorkCompletions answers = WorkCompletions.ofCapacity(4);

    private Subscriber(
            RegisteredBuffer received,
            RegisteredBuffer repeated,
            QueuePair datagrams,
            QueuePair queuePair,
            CompletionQueue replies,
            Deadline deadline) {
        this.received = received;
        this.repeated = repeated;
        this.datagrams = datagrams;
        this.queuePair = queuePair;
        this.replies = replies;
        this.deadline = deadline;
    }

    /** Takes all updates; returns what was missed on the way. */
    static Sequence run(Verbs verbs, InetSocketAddress publisher, Terms terms, Deadline deadline) {
        try (var domain = verbs.protectionDomain();
                var received = domain.allocate((long) RECEIVES * DATAGRAM_BYTES, LOCAL_WRITE);
                var repeated = domain.allocate(Repeater.BYTES, LOCAL_WRITE);
                var arrivals = verbs.completionQueue(RECEIVES);
                var replies = verbs.completionQueue(8);
                var datagrams = domain.queuePair(QueuePairConfig.of(domain, arrivals)
                        .withType(QueuePairType.UD)
                        .withDepth(1, RECEIVES));
                var queuePair =
                        domain.queuePair(QueuePairConfig.of(domain, replies).withDepth(4, 1))) {
            var subscriber = new Subscriber(received, repeated, datagrams, queuePair, replies, deadline);
            for (int slot = 0; slot < RECEIVES; slot++) {
                subscriber.postReceive(slot);
            }
            var config = ConnectionConfig.defaults();
            try (var connection = verbs.connect(publisher, queuePair, config, deadline);
                    var group = join(verbs, connection.localAddress(), datagrams, terms, deadline)) {
                subscriber.tell(RequestLayout.READY, 0);
                subscriber.takeAll(arrivals, terms.updates(), group);
                subscriber.tell(RequestLayout.DONE, 0);
                connection.disconnect(deadline);
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
            long from = sequence.next();
            PostStatus.check(queuePair.recv(0, repeated));
            tell(RequestLayout.REPEAT, from);
            long bytes = awaitReply();
            if (bytes == 0) {
                throw new IllegalStateException("subscriber: update " + from + " is not in the publisher's history any"
                        + " more: a program would begin anew from a snapshot; here, ask for a lower --rate");
            }
            for (long at = 0; at < bytes; at += UpdateLayout.BYTES) {
                take(UpdateLayout.number(repeated.segment(), at), UpdateLayout.price(repeated.segment(), at));
            }
        }
    }

    /** Takes an update whose turn it is, and leaves one that was repeated and comes once more. */
    private void take(long number, long price) {
        if (sequence.take(number) && price != UpdateLayout.rightPrice(number)) {
            throw new IllegalStateException("subscriber: update " + number + " has the price " + price);
        }
    }

    private void tell(long kind, long from) {
        RequestLayout.put(request, kind, from);
        PostStatus.check(queuePair.sendInline(kind, request, 0, RequestLayout.BYTES, SIGNALED));
    }

    /** Waits for the one reply that was asked for; returns how many bytes it has. */
    private long awaitReply() {
        while (true) {
            int count = replies.poll(answers, deadline);
            for (int i = 0; i < count; i++) {
                WorkCompletion answer = check(answers.get(i));
                if (answer.opcode() == WcOpcode.RECV) {
                    return answer.byteCount();
                }
            }
        }
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
