package org.panamaverbs.testkit.conformance.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.ReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Posts;

/** A queue at B, and a connection whose messages take its receives, of 8 bytes, each at its place. */
final class ListReceiver {
    final ConnectedPair pair;
    final Link link;
    final ReceiveQueue queue;
    final int room;
    final int pieces;

    ListReceiver(ConnectedPair pair, Link link, ReceiveQueue queue, int room, int pieces) {
        this.pair = pair;
        this.link = link;
        this.queue = queue;
        this.room = room;
        this.pieces = pieces;
    }

    /** Returns another connection to the queue, which is shared. */
    Link connect() {
        return connect(pair, (SharedReceiveQueue) queue);
    }

    static Link connect(ConnectedPair pair, SharedReceiveQueue queue) {
        return pair.connect(
                pair.a().newQueuePair(config -> config), pair.b().newQueuePair(config -> config.withSrq(queue)));
    }

    /** Returns a list of the receives from {@code first} up to {@code end}. */
    ReceiveList list(int first, int end) {
        return add(ReceiveList.ofCapacity(end - first), first, end);
    }

    ReceiveList add(ReceiveList list, int first, int end) {
        for (int i = first; i < end; i++) {
            list.add(i, pair.b().buffer(), 8L * i, 8);
        }
        return list;
    }

    /** Sends a message for each receive from {@code first} up to {@code end}, which are the next in the queue. */
    void expectMessages(int first, int end) {
        for (int i = first; i < end; i++) {
            expectMessage(link, i);
        }
    }

    /** Sends a message over {@code by}, which receive {@code number} takes. */
    Completion expectMessage(Link by, int number) {
        long value = 1_000 + number + 31L * by.qpB().number();
        pair.a().putLong(0, value);
        Posts.accepted(by.qpA().send(number, pair.a().buffer(), 0, 8, SIGNALED));
        Completion received = pair.b().inbox().takeOk(number);
        assertThat(received.byteCount()).isEqualTo(8);
        assertThat(pair.b().getLong(8L * number)).isEqualTo(value);
        pair.a().inbox().takeOk(number);
        return received;
    }

    void expectFlushed(int first, int end) {
        for (int i = first; i < end; i++) {
            Completion flushed = pair.b().inbox().take();
            assertThat(flushed.wrId()).isEqualTo(i);
            assertThat(flushed.status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
        }
    }

    /** Fails unless the queue has no receive left and takes others: a message takes the one that is posted now. */
    void expectWhole() {
        Posts.accepted(queue.recv(9, pair.b().buffer(), 72, 8));
        expectMessage(link, 9);
    }
}
