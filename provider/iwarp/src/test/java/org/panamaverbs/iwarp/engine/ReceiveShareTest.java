package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.core.ReceiveSlot;
import org.panamaverbs.iwarp.core.ReceiveSource;
import org.panamaverbs.iwarp.engine.ReceiveShares.Share;
import org.panamaverbs.testkit.Requirement;

/** A stream that uses up the receives that others need, too. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReceiveShareTest {
    private final ReceiveShares shares = new ReceiveShares(8, 50);
    private long taken;
    private int available;

    private void post(int count) {
        available += count;
        shares.update(taken, available);
    }

    private void take(Share share) {
        shares.next(share);
        taken++;
        available--;
        shares.update(taken, available);
    }

    @Test
    void countsWhatIsUsedUpAndNotReplaced() {
        Share greedy = new Share(7);
        Share modest = new Share(9);
        for (int i = 0; i < 6; i++) {
            post(1);
        }
        assertThat(shares.greatest()).isEqualTo("no receives are in use");
        take(modest);
        for (int i = 0; i < 3; i++) {
            assertThat(shares.allows(greedy)).isTrue();
            take(greedy);
        }
        assertThat(shares.allows(greedy)).as("half of six").isFalse();
        assertThat(shares.allows(modest)).isTrue();
        assertThat(shares.greatest()).isEqualTo("queue pair 7 holds 3 of 4 receives in use");
        post(1);
        assertThat(shares.allows(greedy)).as("the oldest was the other's").isFalse();
        post(1);
        assertThat(shares.allows(greedy)).isTrue();
    }

    @Test
    void aSmallerQueueForgetsWhatWasUsedUpLongestAgo() {
        Share modest = new Share(9);
        Share greedy = new Share(7);
        post(8);
        take(modest);
        for (int i = 0; i < 4; i++) {
            take(greedy);
        }
        assertThat(shares.allows(greedy)).as("half of eight").isFalse();

        ReceiveShares fewer = new ReceiveShares(5, 50);
        shares.moveTo(fewer);
        assertThat(fewer.greatest()).isEqualTo("queue pair 7 holds 2 of 2 receives in use");
        assertThat(fewer.allows(greedy)).as("half of five").isFalse();
        fewer.update(taken, available + 1);
        assertThat(fewer.allows(greedy)).isTrue();
    }

    @Test
    void aListReplacesAsManyAsItHas() {
        Share first = new Share(7);
        Share second = new Share(9);
        post(6);
        take(first);
        take(first);
        take(second);
        post(0);
        assertThat(shares.greatest()).isEqualTo("queue pair 7 holds 2 of 3 receives in use");
        post(2);
        assertThat(shares.greatest()).isEqualTo("queue pair 9 holds 1 of 1 receives in use");
        post(3);
        assertThat(shares.greatest()).isEqualTo("no receives are in use");
        for (int i = 0; i < 4; i++) {
            assertThat(shares.allows(first))
                    .as("half of eight, of which " + i + " are used")
                    .isTrue();
            take(first);
        }
        assertThat(shares.allows(first)).isFalse();
    }

    @Test
    void aTakingThatFailedIsNobodys() {
        Share first = new Share(7);
        Share second = new Share(9);
        post(6);
        take(second);
        shares.next(first);
        shares.update(taken, available);
        assertThat(shares.greatest()).isEqualTo("queue pair 9 holds 1 of 1 receives in use");
        take(second);
        assertThat(shares.greatest()).isEqualTo("queue pair 9 holds 2 of 2 receives in use");
    }

    @Test
    void oneReceiveIsAlwaysAllowed() {
        ReceiveShares scarce = new ReceiveShares(2, 1);
        Share share = new Share(1);
        assertThat(scarce.allows(share)).isTrue();
        scarce.update(0, 1);
        scarce.next(share);
        scarce.update(1, 0);
        assertThat(scarce.allows(share)).isFalse();
    }

    @Test
    void aStreamThatFailsInsideTheQueueLeavesItToTheOthers() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
                ProtectionDomain domain = verbs.protectionDomain();
                SharedReceiveQueue queue =
                        domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(4).withSge(2))) {
            assertThat(queue.postRecv(1, SgList.ofCapacity(2).add(0x1000, 8, 7).add(0x2000, 8, 7)))
                    .isEqualTo(PostStatus.ACCEPTED);
            ReceiveSource source = ((IwarpSharedReceiveQueue) queue).sourceFor(7);
            assertThatThrownBy(() -> source.take(new ReceiveSlot(1))).isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(queue.available()).isEqualTo(1);
        }
    }

    @Test
    @Requirement("SEC-6.4.3.1-01")
    void aGreedyStreamEndsAndTheOthersHaveReceives() throws Exception {
        try (Peer greedy = new Peer();
                Peer modest = new Peer();
                Peer server = new Peer("srq.share=50");
                SharedReceiveQueue shared = server.domain.sharedReceiveQueue(
                        SharedReceiveQueueConfig.of(8).withSge(1));
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            for (int i = 0; i < 8; i++) {
                PostStatus.check(shared.recv(i, server.buffer, i * 64L, 64));
            }
            shared.armLimit(5);
            QueuePairConfig theirs = server.config().withSrq(shared);
            try (Connection first = connect(greedy, theirs, listener);
                    Connection second = connect(modest, theirs, listener)) {
                for (int i = 0; i < 8; i++) {
                    PostStatus.check(greedy.queuePair().send(i, greedy.buffer, 0, 8, SIGNALED));
                }
                for (int i = 0; i < 4; i++) {
                    assertThat(server.nextOk().wrId()).isEqualTo(i);
                }
                assertThat(first.awaitDisconnect(Peer.soon())).isTrue();
                assertThat(first.terminateCause().orElseThrow().toString()).startsWith("1/2/02");
                assertThat(first.queuePair().number()).isPositive();
                assertThat(server.event(AsyncEvent.Type.SRQ_LIMIT_REACHED).detail())
                        .contains("queue pair " + first.queuePair().number() + " holds 4");

                PostStatus.check(modest.queuePair().send(9, modest.buffer, 0, 8, SIGNALED));
                WorkCompletion received = server.nextOk();
                assertThat(received.wrId()).isEqualTo(4);
                assertThat(received.status()).isEqualTo(WcStatus.SUCCESS);
                assertThat(second.isConnected()).isTrue();
                assertThat(shared.available()).isEqualTo(3);
            }
        }
    }

    @Test
    @Requirement("SEC-6.4.3.1-01")
    void streamsThatStayWithinTheirShareAllGoOn() throws Exception {
        int each = 2;
        try (Peer server = new Peer("srq.share=25");
                Peer first = new Peer();
                Peer second = new Peer();
                Peer third = new Peer();
                SharedReceiveQueue shared = server.domain.sharedReceiveQueue(
                        SharedReceiveQueueConfig.of(8).withSge(1));
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            for (int i = 0; i < 8; i++) {
                PostStatus.check(shared.recv(i, server.buffer, i * 64L, 64));
            }
            QueuePairConfig theirs = server.config().withSrq(shared);
            List<Peer> clients = List.of(first, second, third);
            try (Connection one = connect(first, theirs, listener);
                    Connection two = connect(second, theirs, listener);
                    Connection three = connect(third, theirs, listener)) {
                // Each uses up all of its quarter in every round, in an order that changes.
                for (int round = 0; round < 100; round++) {
                    for (int i = 0; i < clients.size() * each; i++) {
                        Peer client = clients.get((round + i) % clients.size());
                        PostStatus.check(client.queuePair().send(i, client.buffer, 0, 8, SIGNALED));
                        assertThat(client.nextOk().wrId()).isEqualTo(i);
                    }
                    for (int i = 0; i < clients.size() * each; i++) {
                        long slot = server.nextOk().wrId();
                        PostStatus.check(shared.recv(slot, server.buffer, slot * 64, 64));
                    }
                }
                assertThat(List.of(one, two, three)).allMatch(Connection::isConnected);
            }
        }
    }

    private static Connection connect(Peer client, QueuePairConfig theirs, Listener listener)
            throws InterruptedException {
        Background<Connection> accepted = Background.start(
                () -> listener.accept(Peer.soon()).accept(theirs, ConnectionConfig.defaults(), Peer.soon()));
        client.connected(client.verbs.connect(listener.localAddress(), client.config(), Peer.soon()));
        return accepted.get();
    }
}
