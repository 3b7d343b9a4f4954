package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.Requirement;

@Timeout(60)
@ParameterizedClass
@ValueSource(strings = {"shm=off", "shm.direct=off", "shm.direct=on"})
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class FailureTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    String shm;

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static void connect(Peer client, QueuePairConfig ours, Peer server, QueuePairConfig theirs)
            throws Exception {
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            Peer.connect(client, ours, server, theirs, listener, ConnectionConfig.defaults(), queuePair -> {});
        }
    }

    @Test
    @Requirement({"DDP-6.2.2-01", "DDP-6.2.2-02", "DDP-7-01"})
    void flushesWhenThePeerDies() throws Exception {
        try (Peer client = new Peer(shm);
                Peer server = new Peer(shm)) {
            Peer.connect(client, server);
            client.queuePair().recv(1, client.buffer, 0, 10);
            client.queuePair().recv(2, client.buffer, 10, 10);
            server.queuePair().close();

            assertThat(client.connection().awaitDisconnect(Peer.soon())).isTrue();
            assertThat(client.next().wrId()).isEqualTo(1);
            WorkCompletion second = client.next();
            assertThat(second.wrId()).isEqualTo(2);
            assertThat(second.status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
            assertThat(client.queuePair().state()).isEqualTo(QueuePairState.ERROR);
            assertThat(client.event(AsyncEvent.Type.QP_FATAL).source()).isEqualTo(client.queuePair());
        }
    }

    @Test
    @Requirement({"RDMAP-5.4-05", "RDMAP-7.2-11"})
    void tellsBothSidesOfARefusedAccess() throws Exception {
        try (Peer client = new Peer(shm);
                Peer server = new Peer(shm);
                RegisteredBuffer closed = server.domain.allocate(4096, Access.LOCAL_WRITE)) {
            Peer.connect(client, server);
            client.queuePair()
                    .post(WorkRequest.of(org.panamaverbs.api.SendOpcode.RDMA_READ)
                            .wrId(3)
                            .local(client.buffer.checkedAddress(0, 100), 100, client.buffer.lkey())
                            .remote(closed.iova(), closed.rkey())
                            .flags(SIGNALED));

            WorkCompletion refused = client.next();
            assertThat(refused.status()).isEqualTo(WcStatus.REMOTE_ACCESS_ERROR);
            assertThat(client.connection().awaitDisconnect(Peer.soon())).isTrue();
            assertThat(server.connection().awaitDisconnect(Peer.soon())).isTrue();
            assertThat(client.connection().terminateCause().orElseThrow().origin())
                    .isEqualTo(TerminateCause.Origin.REMOTE);
            assertThat(server.connection().terminateCause().orElseThrow().origin())
                    .isEqualTo(TerminateCause.Origin.LOCAL);
            assertThat(server.event(AsyncEvent.Type.QP_ACCESS_ERROR).terminateCause())
                    .isPresent();
        }
    }

    @Test
    @Requirement("RDMAP-8.1.1-10-01")
    void failsEveryQueuePairOfAnOverrunCompletionQueue() throws Exception {
        try (Peer client = new Peer(4, shm);
                Peer server = new Peer(shm);
                Peer other = new Peer(shm)) {
            Peer.connect(client, server);
            QueuePair idle = client.domain.queuePair(client.config());
            client.closeFirst(idle);
            try (Listener listener = other.verbs.listen(ANY_PORT)) {
                Background<Boolean> accepted = Background.start(() -> {
                    other.closeFirst(listener.accept(Peer.soon())
                            .accept(other.config(), ConnectionConfig.defaults(), Peer.soon()));
                    return true;
                });
                client.closeFirst(
                        client.verbs.connect(listener.localAddress(), idle, ConnectionConfig.defaults(), Peer.soon()));
                accepted.get();
            }
            for (int i = 0; i < 5; i++) {
                client.queuePair().write(i, client.buffer, 0, 1, Peer.remote(server), 0, SIGNALED);
            }

            assertThat(client.event(AsyncEvent.Type.CQ_ERROR).source()).isEqualTo(client.queue);
            assertThat(client.connection().awaitDisconnect(Peer.soon())).isTrue();
            assertThat(client.queuePair().state()).isEqualTo(QueuePairState.ERROR);
            assertThat(((IwarpQueuePair) idle).driver().awaitClosed(Peer.soon()))
                    .isTrue();
            assertThat(idle.state()).isEqualTo(QueuePairState.ERROR);
            assertThatThrownBy(() -> client.queue.poll(WorkCompletions.ofCapacity(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("overrun");
        }
    }

    @Test
    @Requirement("RDMAP-5.4-07")
    void flushesWhatIsPostedOnAFailedQueuePair() throws Exception {
        try (Peer client = new Peer(shm);
                Peer server = new Peer(shm)) {
            Peer.connect(client, server);
            client.queuePair().modify(QueuePairAttributes.to(QueuePairState.ERROR));

            assertThat(client.queuePair().send(1, client.buffer, 0, 1, 0)).isEqualTo(PostStatus.ACCEPTED);
            assertThat(client.next().status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
            assertThat(client.queuePair().recv(2, client.buffer)).isEqualTo(PostStatus.ACCEPTED);
            assertThat(client.next().wrId()).isEqualTo(2);
            assertThat(server.connection().awaitDisconnect(Peer.soon())).isTrue();
        }
    }

    @Test
    void forgetsTheCompletionsOfAClosedQueuePair() throws Exception {
        try (Peer client = new Peer(shm);
                Peer server = new Peer(shm)) {
            Peer.connect(client, server);
            client.queuePair().write(1, client.buffer, 0, 1, Peer.remote(server), 0, SIGNALED);
            client.queuePair().recv(2, client.buffer);
            client.queuePair().close();

            assertThat(client.queue.poll(WorkCompletions.ofCapacity(4))).isZero();
        }
    }

    @Test
    void refusesSendsBeforeTheConnection() throws Exception {
        try (Peer client = new Peer(shm);
                QueuePair queuePair = client.domain.queuePair(client.config())) {
            assertThat(queuePair.send(1, client.buffer, 0, 1, 0)).isEqualTo(PostStatus.NOT_CONNECTED);
            assertThatThrownBy(() -> queuePair.sendWithImmediate(1, client.buffer, 0, 1, 1, 0))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("iwarp0")
                    .hasMessageContaining("SEND_WITH_IMMEDIATE");
        }
    }

    @Test
    void raisesTheLimitEventOfASharedReceiveQueueOnce() throws Exception {
        try (Peer client = new Peer(shm);
                Peer server = new Peer(shm);
                SharedReceiveQueue shared = server.domain.sharedReceiveQueue(
                        SharedReceiveQueueConfig.of(8).withSge(1))) {
            QueuePairConfig theirs = server.config().withSrq(shared);
            connect(client, client.config(), server, theirs);
            for (int i = 0; i < 4; i++) {
                shared.recv(i, server.buffer, i * 64L, 64);
            }
            shared.armLimit(3);
            client.queuePair().send(1, client.buffer, 0, 8, 0);
            assertThat(server.nextOk().wrId()).isZero();
            assertThat(shared.limit()).isEqualTo(3);
            client.queuePair().send(1, client.buffer, 0, 8, 0);
            assertThat(server.nextOk().wrId()).isEqualTo(1);

            assertThat(server.event(AsyncEvent.Type.SRQ_LIMIT_REACHED).source()).isEqualTo(shared);
            assertThat(shared.limit()).isZero();
            assertThat(shared.available()).isEqualTo(2);
            assertThatThrownBy(() -> server.queuePair().recv(9, server.buffer))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("shared receive queue");
            server.connection().close();
            server.queuePair().close();
        }
    }

    @Test
    void aQueueThatIsArmedForAnyCompletionStaysSoWhenItIsArmedForSolicitedOnes() throws Exception {
        try (Peer client = new Peer(shm);
                Peer server = new Peer(shm);
                CompletionChannel channel = server.verbs.completionChannel();
                CompletionQueue queue = server.verbs.completionQueue(
                        CompletionQueueConfig.of(16).withChannel(channel))) {
            connect(client, client.config(), server, server.config().withRecvCq(queue));
            server.queuePair().recv(1, server.buffer, 0, 64);
            queue.arm(false);
            queue.arm(true);
            client.queuePair().send(1, client.buffer, 0, 8, 0);
            assertThat(channel.await(Peer.soon())).contains(queue);
            WorkCompletions completions = WorkCompletions.ofCapacity(1);
            assertThat(queue.poll(completions, Peer.soon())).isOne();
            server.connection().close();
            server.queuePair().close();
        }
    }

    @Test
    void raisesEventsOnlyForWhatTheQueueWasArmedFor() throws Exception {
        try (Peer client = new Peer(shm);
                Peer server = new Peer(shm);
                CompletionChannel channel = server.verbs.completionChannel();
                CompletionQueue queue = server.verbs.completionQueue(
                        CompletionQueueConfig.of(16).withChannel(channel))) {
            connect(client, client.config(), server, server.config().withRecvCq(queue));
            for (int i = 0; i < 4; i++) {
                server.queuePair().recv(i, server.buffer, i * 64L, 64);
            }
            queue.arm(true);
            client.queuePair().send(1, client.buffer, 0, 8, 0);
            List<Long> seen = new ArrayList<>();
            WorkCompletions completions = WorkCompletions.ofCapacity(1);
            queue.poll(completions, Peer.soon());
            seen.add(completions.get(0).wrId());
            assertThat(channel.await(Deadline.now())).as("not solicited").isEmpty();

            client.queuePair().send(2, client.buffer, 0, 8, org.panamaverbs.api.SendFlag.SOLICITED);
            assertThat(channel.await(Peer.soon())).contains(queue);
            queue.poll(completions, Peer.soon());
            seen.add(completions.get(0).wrId());
            client.queuePair().send(3, client.buffer, 0, 8, org.panamaverbs.api.SendFlag.SOLICITED);
            queue.poll(completions, Peer.soon());
            seen.add(completions.get(0).wrId());
            assertThat(channel.await(Deadline.now())).as("armed for one event").isEmpty();
            assertThat(seen).containsExactly(0L, 1L, 2L);
            assertThat(channel.fileDescriptor()).isEmpty();
            server.connection().close();
            server.queuePair().close();
        }
    }

    @Test
    void wakesUpWhoWaitsAtAChannelOnClose() throws Exception {
        try (Peer peer = new Peer(shm)) {
            CompletionChannel channel = peer.verbs.completionChannel();
            Background<Optional<CompletionQueue>> waiting =
                    Background.start(() -> channel.await(Deadline.never())).whenWaiting();
            channel.close();

            assertThatThrownBy(waiting::get).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void resizesACompletionQueueButNotBelowWhatItHolds() throws Exception {
        try (Peer client = new Peer(4, shm);
                Peer server = new Peer(shm)) {
            Peer.connect(client, server);
            for (int i = 0; i < 3; i++) {
                client.queuePair().write(i, client.buffer, 0, 1, Peer.remote(server), 0, SIGNALED);
            }
            assertThatThrownBy(() -> client.queue.resize(2))
                    .isInstanceOf(org.panamaverbs.api.ResourceException.class)
                    .hasMessageContaining("holds 3");
            client.queue.resize(100);
            assertThat(client.queue.capacity()).isEqualTo(100);
            assertThat(client.nextOk().wrId()).isZero();
            assertThat(client.nextOk().wrId()).isEqualTo(1);
        }
    }
}
