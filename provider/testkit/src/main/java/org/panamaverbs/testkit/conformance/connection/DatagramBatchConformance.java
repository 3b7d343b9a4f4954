package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.GrhView;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.DatagramListener;
import org.panamaverbs.api.cm.DatagramPeer;
import org.panamaverbs.api.cm.DatagramRequest;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Posts;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.random.Patterns;

/** Datagrams that a batch collects, each with a destination of its own. */
@Needs(types = QueuePairType.UD)
public abstract class DatagramBatchConformance extends Conformance {
    private static final int RECEIVED_AT = 8192;
    private static final int RECEIVE_BYTES = 256;
    private static final int BYTES = 64;

    /** For subclasses. */
    protected DatagramBatchConformance() {}

    private static QueuePair datagrams(Endpoint side) {
        return side.newQueuePair(config -> config.withType(QueuePairType.UD));
    }

    /** Returns what {@code asking} of side {@code a} sends to {@code asked} of side {@code b} by. */
    private DatagramPeer peer(Endpoint a, QueuePair asking, Endpoint b, QueuePair asked) {
        DatagramListener listener =
                resources().add(b.verbs().listenDatagrams(provider().listenAddress(), ListenerConfig.defaults()));
        CompletableFuture<DatagramPeer> peer = CompletableFuture.supplyAsync(() -> a.verbs()
                .connectDatagrams(listener.localAddress(), asking, ConnectionConfig.defaults(), Waits.deadline()));
        try (DatagramRequest request = listener.accept(Waits.deadline())) {
            request.accept(asked, new byte[0]);
        }
        return resources().add(peer.orTimeout(60, TimeUnit.SECONDS).join());
    }

    private static SgList piece(Endpoint side, int index) {
        return SgList.ofCapacity(1).add(side.buffer(), (long) index * BYTES, BYTES);
    }

    private static void receive(Endpoint side, QueuePair queuePair, int index) {
        accepted(queuePair.recv(index, side.buffer(), at(index), RECEIVE_BYTES));
    }

    private static long at(int index) {
        return RECEIVED_AT + (long) index * RECEIVE_BYTES;
    }

    /** Takes receive {@code index} of side {@code b}, which brings what side {@code a} has at {@code sent}. */
    private static void arrived(Endpoint a, int sent, Endpoint b, int index, QueuePair from) {
        arrived(a, sent, b, b.inbox().takeOk(index), from);
    }

    /** As the other, by the completion of a receive, whose id is its index. */
    private static void arrived(Endpoint a, int sent, Endpoint b, Completion received, QueuePair from) {
        int index = (int) received.wrId();
        assertThat(received.byteCount()).isEqualTo(GrhView.BYTES + BYTES);
        assertThat(b.get(at(index) + GrhView.BYTES, BYTES)).isEqualTo(a.get((long) sent * BYTES, BYTES));
        assertThat(received.sourceQpNumber()).isEqualTo(from.number());
    }

    @Test
    void oneBatchGoesToManyDestinations() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair from = datagrams(a);
        QueuePair first = datagrams(b);
        QueuePair second = datagrams(b);
        DatagramPeer toFirst = peer(a, from, b, first);
        DatagramPeer toSecond = peer(a, from, b, second);
        a.put(0, Patterns.bytes(1, 4 * BYTES));
        receive(b, first, 0);
        receive(b, first, 2);
        receive(b, second, 1);
        receive(b, second, 3);

        Batch batch = from.batch();
        for (int i = 0; i < 4; i++) {
            accepted(batch.postDatagram(
                    SendOpcode.SEND, 100 + i, piece(a, i), i % 2 == 0 ? toFirst : toSecond, 0, SIGNALED));
        }
        assertThat(batch.pending()).isEqualTo(4);
        assertThat(batch.submit()).isEqualTo(4);
        a.inbox().takeAllOk(100, 101, 102, 103);
        // In the order of each queue pair; there is none between two.
        List<Completion> received = b.inbox().take(4);
        for (QueuePair to : List.of(first, second)) {
            List<Completion> its = received.stream()
                    .filter(completion -> completion.qpNumber() == to.number())
                    .toList();
            assertThat(its).allMatch(Completion::ok);
            assertThat(its)
                    .extracting(Completion::wrId)
                    .isEqualTo(to.equals(first) ? List.of(0L, 2L) : List.of(1L, 3L));
            its.forEach(completion -> arrived(a, (int) completion.wrId(), b, completion, from));
        }
    }

    @Test
    void nothingIsSentBeforeSubmitOrAfterDiscard() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair from = datagrams(a);
        QueuePair to = datagrams(b);
        DatagramPeer peer = peer(a, from, b, to);
        a.put(0, Patterns.bytes(2, 2 * BYTES));
        receive(b, to, 0);
        Batch batch = from.batch();
        accepted(batch.postDatagram(SendOpcode.SEND, 1, piece(a, 0), peer, 0, SIGNALED));
        b.inbox().expectNothing();
        batch.discard();
        assertThat(batch.submit()).isZero();
        accepted(batch.postDatagram(SendOpcode.SEND, 2, piece(a, 1), peer, 0, SIGNALED));
        assertThat(batch.submit()).isEqualTo(1);
        a.inbox().takeOk(2);
        arrived(a, 1, b, 0, from);
    }

    @Test
    void destinationMayBeClosedWhileItsDatagramsWait() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair from = datagrams(a);
        QueuePair to = datagrams(b);
        DatagramPeer peer = peer(a, from, b, to);
        a.put(0, Patterns.bytes(3, 2 * BYTES));
        receive(b, to, 0);
        receive(b, to, 1);
        Batch batch = from.batch();
        accepted(batch.postDatagram(SendOpcode.SEND, 1, piece(a, 0), peer, 0, NONE));
        accepted(batch.postDatagram(SendOpcode.SEND, 2, piece(a, 1), peer, 0, SIGNALED));
        peer.close();
        assertThatThrownBy(() -> batch.postDatagram(SendOpcode.SEND, 3, piece(a, 0), peer, 0, SIGNALED))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("address handle");
        assertThat(batch.submit()).isEqualTo(2);
        a.inbox().takeOk(2);
        arrived(a, 0, b, 0, from);
        arrived(a, 1, b, 1, from);
    }

    @Test
    @ApiCase
    void batchRefusesWhatItsQueuePairRefuses() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        QueuePair from = datagrams(a);
        DatagramPeer peer = peer(a, from, b, datagrams(b));
        Batch batch = from.batch();
        Posts.answered(
                PostStatus.INVALID, batch.postDatagram(SendOpcode.RDMA_WRITE, 1, piece(a, 0), peer, 0, SIGNALED));
        int pieces = from.config().maxSendSge() + 1;
        SgList many = SgList.ofCapacity(pieces);
        for (int i = 0; i < pieces; i++) {
            many.add(a.buffer(), 0, 1);
        }
        Posts.answered(PostStatus.TOO_MANY_SEGMENTS, batch.postDatagram(SendOpcode.SEND, 1, many, peer, 0, SIGNALED));
        assertThat(batch.pending()).isZero();
        Batch connected = a.newQueuePair(config -> config).batch();
        assertThatThrownBy(() -> connected.postDatagram(SendOpcode.SEND, 1, piece(a, 0), peer, 0, SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("datagrams need UD");
    }
}
