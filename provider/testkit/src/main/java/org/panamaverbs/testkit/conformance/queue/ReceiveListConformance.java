package org.panamaverbs.testkit.conformance.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.GuardedBuffer;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Posts;
import org.panamaverbs.testkit.random.Patterns;

/** Receives that are posted by one call, to a queue pair and to a shared receive queue. */
public abstract class ReceiveListConformance extends Conformance {
    private static final int LONG = 60;

    /** For subclasses. */
    protected ReceiveListConformance() {}

    @Test
    void messagesTakeTheReceivesOfAListInItsOrder() {
        takesInOrder(ofQueuePair(64));
    }

    @Test
    void messagesTakeTheReceivesOfASharedListInItsOrder() {
        takesInOrder(ofSharedQueue(64));
    }

    private void takesInOrder(ListReceiver receiver) {
        ReceiveList list = receiver.list(0, 20);
        assertThat(receiver.queue.postRecv(list, 0, 20)).isEqualTo(20);
        receiver.expectMessages(0, 20);
        receiver.pair.b().inbox().expectNothing();
        receiver.expectWhole();
    }

    @Test
    void messagesOfSeveralConnectionsTakeTheReceivesOfAList() {
        ListReceiver receiver = ofSharedQueue(16);
        Link other = receiver.connect();
        assertThat(receiver.queue.recv(receiver.list(0, 8))).isEqualTo(8);
        for (int i = 0; i < 8; i++) {
            Link link = i % 3 == 0 ? other : receiver.link;
            assertThat(receiver.expectMessage(link, i).qpNumber())
                    .isEqualTo(link.qpB().number());
        }
    }

    @Test
    @ApiCase
    void onlyTheNamedPartIsPosted() {
        ListReceiver receiver = ofQueuePair(16);
        ReceiveList list = receiver.list(0, 8);
        assertThat(receiver.queue.postRecv(list, 3, 0)).isZero();
        assertThat(receiver.queue.postRecv(list, 8, 0)).isZero();
        assertThat(receiver.queue.postRecv(list, 3, 2)).isEqualTo(2);
        assertThat(receiver.queue.postRecv(list, 7, 1)).isEqualTo(1);
        receiver.expectMessages(3, 5);
        receiver.expectMessages(7, 8);
        receiver.expectWhole();
    }

    @Test
    @ApiCase
    void anEmptyListPostsNothing() {
        ListReceiver receiver = ofQueuePair(16);
        ReceiveList empty = ReceiveList.ofCapacity(1);
        assertThat(receiver.queue.recv(empty)).isZero();
        assertThat(receiver.queue.recvAll(empty)).isZero();
        receiver.expectWhole();
    }

    @Test
    @ApiCase
    void aListIsFreeAgainWhenThePostReturns() {
        ListReceiver receiver = ofQueuePair(16);
        ReceiveList list = receiver.list(0, 4);
        assertThat(receiver.queue.recv(list)).isEqualTo(4);
        list.clear();
        receiver.add(list, 4, 8);
        assertThat(receiver.queue.recv(list)).isEqualTo(4);
        list.clear();
        receiver.expectMessages(0, 8);
    }

    @Test
    @ApiCase
    void aListMayBePostedAgain() {
        ListReceiver receiver = ofQueuePair(16);
        ReceiveList list = receiver.list(0, 5);
        for (int round = 0; round < 10; round++) {
            assertThat(receiver.queue.recv(list)).isEqualTo(5);
            receiver.expectMessages(0, 5);
        }
    }

    @Test
    void listsAndSingleReceivesKeepTheirOrder() {
        ListReceiver receiver = ofQueuePair(16);
        ReceiveList list = receiver.list(0, 9);
        for (int i = 0; i < 9; i += 3) {
            accepted(receiver.queue.recv(i, receiver.pair.b().buffer(), 8L * i, 8));
            assertThat(receiver.queue.postRecv(list, i + 1, 2)).isEqualTo(2);
        }
        receiver.expectMessages(0, 9);
    }

    @Test
    void receivesOfAListScatterIntoTheirPieces() {
        ListReceiver receiver = ofQueuePair(16);
        Endpoint b = receiver.pair.b();
        requires(receiver.pieces >= 2, b.verbs(), "takes one piece a receive");
        ReceiveList list = ReceiveList.ofCapacity(4, 2);
        list.add(0, SgList.ofCapacity(2).add(b.buffer(), 100, 3).add(b.buffer(), 200, 5));
        list.add(1, SgList.ofCapacity(1));
        list.add(2, b.buffer(), 300, 8);
        list.add(3, b.buffer(), 400, 0);
        assertThat(receiver.queue.recv(list)).isEqualTo(4);

        byte[] data = Patterns.bytes(3, 8);
        receiver.pair.a().put(0, data);
        int[] lengths = {8, 0, 8, 0};
        for (int i = 0; i < lengths.length; i++) {
            accepted(receiver.link.qpA().send(i, receiver.pair.a().buffer(), 0, lengths[i], SIGNALED));
            assertThat(b.inbox().takeOk(i).byteCount()).isEqualTo(lengths[i]);
            receiver.pair.a().inbox().takeOk(i);
        }
        assertThat(b.get(100, 3)).isEqualTo(java.util.Arrays.copyOf(data, 3));
        assertThat(b.get(200, 5)).isEqualTo(java.util.Arrays.copyOfRange(data, 3, 8));
        assertThat(b.get(300, 8)).isEqualTo(data);
    }

    @Test
    void aFullQueueTakesAPartAndNothingIsLost() {
        fills(ofQueuePair(4));
    }

    @Test
    void aFullSharedQueueTakesAPartAndNothingIsLost() {
        fills(ofSharedQueue(4));
    }

    private void fills(ListReceiver receiver) {
        ReceiveList list = receiver.list(0, LONG);
        int posted = receiver.queue.recv(list);
        assertThat(posted).isGreaterThanOrEqualTo(Math.min(receiver.room, LONG));
        if (receiver.pair.b().keeps(Guarantee.EXACT_DEPTHS)) {
            assertThat(posted).isEqualTo(Math.min(receiver.room, LONG));
        }
        for (int arrived = 0; arrived < LONG; arrived++) {
            if (posted < LONG) {
                int taken = receiver.queue.postRecv(list, posted, LONG - posted);
                if (taken < 0) {
                    Posts.answered(PostStatus.QUEUE_FULL, taken);
                } else {
                    assertThat(taken).isPositive();
                    posted += taken;
                }
            }
            receiver.expectMessage(receiver.link, arrived);
        }
        assertThat(posted).isEqualTo(LONG);
        receiver.pair.b().inbox().expectNothing();
        receiver.expectWhole();
    }

    @Test
    @ApiCase
    void recvAllSaysHowManyArePosted() {
        ListReceiver receiver = ofQueuePair(4);
        assertThat(receiver.queue.recvAll(receiver.list(0, 3))).isEqualTo(3);
        receiver.expectMessages(0, 3);
        int all = 16 * receiver.room;
        requires(all <= 2048, receiver.pair.b().verbs(), "has queues of no fewer than " + receiver.room + " receives");
        assertThatThrownBy(() -> receiver.queue.recvAll(receiver.list(0, all)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(" of " + all + " receives of the list were posted")
                .hasMessageContaining("queue full");
        receiver.expectMessages(0, receiver.room);
    }

    @Test
    @ApiCase
    void aReceiveThatIsRefusedEndsWhatIsTaken() {
        refusesInTheMiddle(ofQueuePair(16));
    }

    @Test
    @ApiCase
    void aReceiveThatIsRefusedEndsWhatASharedQueueTakes() {
        refusesInTheMiddle(ofSharedQueue(16));
    }

    private void refusesInTheMiddle(ListReceiver receiver) {
        RegisteredBuffer buffer = receiver.pair.b().buffer();
        requires(receiver.pieces < 256, receiver.pair.b().verbs(), "takes as many pieces as a list holds");
        SgList tooMany = SgList.ofCapacity(receiver.pieces + 1);
        while (tooMany.count() < tooMany.capacity()) {
            tooMany.add(buffer, 0, 1);
        }
        ReceiveList list = ReceiveList.ofCapacity(6, tooMany.count());
        receiver.add(list, 0, 2);
        list.add(2, tooMany);
        receiver.add(list, 3, 6);

        assertThat(receiver.queue.recv(list)).isEqualTo(2);
        Posts.answered(PostStatus.TOO_MANY_SEGMENTS, receiver.queue.postRecv(list, 2, 4));
        assertThatThrownBy(() -> receiver.queue.recvAll(list))
                .hasMessageContaining("2 of 6 receives of the list were posted")
                .hasMessageContaining("too many scatter/gather entries");
        assertThat(receiver.queue.postRecv(list, 3, 3)).isEqualTo(3);
        receiver.expectMessages(0, 2);
        receiver.expectMessages(0, 2);
        receiver.expectMessages(3, 6);
        receiver.expectWhole();
    }

    @Test
    @ApiCase
    void refusesWhatIsNotInTheList() {
        expectsIndices(ofQueuePair(16));
    }

    @Test
    @ApiCase
    void refusesWhatIsNotInTheListOfASharedQueue() {
        expectsIndices(ofSharedQueue(16));
    }

    private void expectsIndices(ListReceiver receiver) {
        ReceiveList list = receiver.list(0, 4);
        int[][] wrong = {{-1, 1}, {0, 5}, {4, 1}, {1, -1}, {5, 0}, {1, Integer.MAX_VALUE}, {Integer.MIN_VALUE, 1}};
        for (int[] each : wrong) {
            assertThatThrownBy(() -> receiver.queue.postRecv(list, each[0], each[1]))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(receiver.queue.postRecv(list, 3, 1)).isEqualTo(1);
        receiver.expectMessages(3, 4);
        receiver.expectWhole();
    }

    @Test
    @ApiCase
    void queuePairWithASharedQueueRefusesListsOfItsOwn() {
        ListReceiver receiver = ofSharedQueue(16);
        ReceiveList list = receiver.list(0, 1);
        assertThatThrownBy(() -> receiver.link.qpB().recv(list)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> receiver.link.qpB().recvAll(list)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @ApiCase
    void aClosedQueueTakesNoLists() {
        Endpoint side = sideA();
        ReceiveList list = ReceiveList.ofCapacity(1).add(1, side.buffer(), 0, 8);
        QueuePair queuePair = side.newQueuePair(config -> config);
        assertThat(queuePair.recv(list)).isEqualTo(1);
        queuePair.close();
        assertThatThrownBy(() -> queuePair.recv(list)).isInstanceOf(IllegalStateException.class);
        if (side.capabilities().has(Feature.SHARED_RECEIVE_QUEUE)) {
            SharedReceiveQueue shared = side.domain()
                    .sharedReceiveQueue(SharedReceiveQueueConfig.of(16).withSge(1));
            assertThat(shared.recv(list)).isEqualTo(1);
            shared.close();
            assertThatThrownBy(() -> shared.recv(list)).isInstanceOf(IllegalStateException.class);
        }
    }

    /**
     * A list holds addresses and keys: it keeps no buffer open, and its memory is used by nobody once that is closed.
     */
    @Test
    void aListKeepsNoBufferOpen() {
        ConnectedPair pair = pair();
        GuardedBuffer sink = guarded(pair.b(), 64, Access.LOCAL_WRITE);
        ReceiveList list = ReceiveList.ofCapacity(3);
        list.add(0, pair.b().buffer(), 0, 64).add(1, sink.buffer(), 0, 64);
        sink.buffer().close();
        assertThatThrownBy(() -> list.add(2, sink.buffer(), 0, 64)).isInstanceOf(IllegalStateException.class);
        assertThat(list.count()).isEqualTo(2);

        int taken = pair.qpB().recv(list);
        assertThat(taken).isPositive();
        accepted(pair.qpA().send(1, pair.a().buffer(), 0, 64, SIGNALED));
        pair.b().inbox().takeOk(0);
        if (taken == 2) {
            accepted(pair.qpA().send(2, pair.a().buffer(), 0, 64, SIGNALED));
            Completion failed = pair.b().inbox().take();
            assertThat(failed.wrId()).isEqualTo(1);
            assertThat(failed.ok()).isFalse();
            pair.awaitDown();
        }
        sink.expectUntouched();
    }

    /** As with receives that are posted one by one, closing memory does not wait for them. */
    @Test
    void receivesOfAListAreNotPlacedInAClosedBuffer() {
        ConnectedPair pair = pair();
        GuardedBuffer sink = guarded(pair.b(), 64, Access.LOCAL_WRITE);
        ReceiveList list =
                ReceiveList.ofCapacity(2).add(0, sink.buffer(), 0, 32).add(1, sink.buffer(), 32, 32);
        assertThat(pair.qpB().recv(list)).isEqualTo(2);
        sink.buffer().close();
        accepted(pair.qpA().send(1, pair.a().buffer(), 0, 32, SIGNALED));
        Completion failed = pair.b().inbox().take();
        assertThat(failed.wrId()).isZero();
        assertThat(failed.ok()).isFalse();
        pair.awaitDown();
        sink.expectUntouched();
    }

    @Test
    void receivesOfAListAreFlushedInItsOrder() {
        ListReceiver receiver = ofQueuePair(16);
        assertThat(receiver.queue.recv(receiver.list(0, 8))).isEqualTo(8);
        receiver.expectMessages(0, 2);
        receiver.link.qpB().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        receiver.expectFlushed(2, 8);
    }

    @Test
    void aFailedQueuePairTakesListsAndFlushesThem() {
        ListReceiver receiver = ofQueuePair(16);
        guaranteed(receiver.pair.b().verbs(), Guarantee.FLUSH_AFTER_FAILURE);
        receiver.link.qpB().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        ReceiveList list = receiver.list(0, 6);
        for (int round = 0; round < 3; round++) {
            assertThat(receiver.queue.recv(list)).isEqualTo(6);
            receiver.expectFlushed(0, 6);
        }
    }

    @Test
    void takesListsBeforeItIsConnected() {
        ConnectedPair pair = pair();
        QueuePair queuePair = pair.b().newQueuePair(config -> config);
        ReceiveList list = ReceiveList.ofCapacity(2);
        list.add(5, pair.b().buffer(), 40, 8).add(6, pair.b().buffer(), 48, 8);
        assertThat(queuePair.recv(list)).isEqualTo(2);
        Link link = pair.connect(pair.a().newQueuePair(config -> config), queuePair);
        new ListReceiver(pair, link, queuePair, 2, 1).expectMessages(5, 7);
    }

    private ListReceiver ofQueuePair(int depth) {
        ConnectedPair pair =
                pair(PairConfig.defaults().withQueuePairB(config -> config.withDepth(config.maxSendWr(), depth)));
        var config = pair.qpB().config();
        return new ListReceiver(pair, pair.link(), pair.qpB(), config.maxRecvWr(), config.maxRecvSge());
    }

    private ListReceiver ofSharedQueue(int depth) {
        ConnectedPair pair = pair();
        requires(pair.b().verbs(), Feature.SHARED_RECEIVE_QUEUE);
        SharedReceiveQueue queue = resources()
                .add(pair.b()
                        .domain()
                        .sharedReceiveQueue(SharedReceiveQueueConfig.of(depth).withSge(1)));
        Link link = ListReceiver.connect(pair, queue);
        return new ListReceiver(
                pair, link, queue, queue.config().maxWr(), queue.config().maxSge());
    }
}
