package org.panamaverbs.testkit.conformance.queue;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Inbox;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Posts;

/** A connection whose receives at B complete in a queue with a channel, which nobody polls at first. */
final class EventReceiver {
    final ConnectedPair pair;
    final CompletionChannel channel;
    final CompletionQueue queue;
    final Link link;

    EventReceiver(ConnectedPair pair, Resources resources) {
        this.pair = pair;
        channel = resources.add(pair.b().verbs().completionChannel());
        queue = pair.b().newQueue(CompletionQueueConfig.of(64).withChannel(channel));
        link = connect(queue);
    }

    /** Returns another connection, whose receives at B complete in {@code receives}. */
    Link connect(CompletionQueue receives) {
        return pair.connect(
                pair.a().newQueuePair(config -> config), pair.b().newQueuePair(config -> config.withRecvCq(receives)));
    }

    /** Returns what polls the queue from now on. */
    Inbox inbox() {
        return pair.b().watch(queue);
    }

    /** Sends a message, whose receive is posted before. */
    void send(long wrId) {
        send(link, wrId);
    }

    /** Sends a message over {@code by}, whose receive is posted before. */
    void send(Link by, long wrId) {
        Posts.accepted(by.qpB().recv(wrId, pair.b().buffer(), 0, 8));
        Posts.accepted(by.qpA().send(wrId, pair.a().buffer(), 0, 8, SIGNALED));
        pair.a().inbox().takeOk(wrId);
    }
}
