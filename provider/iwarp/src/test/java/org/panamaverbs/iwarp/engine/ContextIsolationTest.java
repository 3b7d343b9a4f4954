package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.engine.device.Quota;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.Requirement;

/**
 * Contexts of one process are as strangers to each other: the context is what RFC 5042 calls the resource manager of
 * its application, and nothing leads from one to another.
 */
@Timeout(60)
@ParameterizedClass
@ValueSource(strings = {"shm=off", "shm.direct=off", "shm.direct=on"})
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class ContextIsolationTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    String shm;

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    // RFC 5040 §8.1.2; RFC 5042 §3.
    @Test
    @Requirement({"RDMAP-8.1.2-1-01", "RDMAP-8.1.2-3-01", "DDP-8.3.2-01", "SEC-3-01", "SEC-3-02"})
    void keysOfOneContextMeanNothingInAnother() throws Exception {
        try (Peer client = new Peer(shm);
                Peer server = new Peer(shm);
                Peer bystander = new Peer(shm)) {
            Peer.connect(client, server);
            client.buffer.segment().fill((byte) 7);
            client.queuePair()
                    .post(WorkRequest.of(SendOpcode.RDMA_READ)
                            .wrId(1)
                            .local(client.buffer.iova(), 8, client.buffer.lkey())
                            .remote(bystander.buffer.iova(), bystander.buffer.rkey())
                            .flags(SendFlag.SIGNALED));
            WorkCompletion read = client.next();
            assertThat(read.status()).isEqualTo(WcStatus.REMOTE_ACCESS_ERROR);
            assertThat(client.connection().terminateCause().orElseThrow().toString())
                    .startsWith("0/1/00");
            assertThat(client.buffer.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
        }
    }

    // RFC 5042 §7.1: what reports completions or hands out receives serves the queue pairs of its own context alone.
    @Test
    @Requirement({"SEC-7.1-01", "SEC-3-01", "SEC-3-02"})
    void queuesOfOneContextServeNoOther() {
        try (Peer attacker = new Peer(shm);
                Peer victim = new Peer(shm);
                SharedReceiveQueue receives = victim.domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(4))) {
            PostStatus.check(receives.recv(1, victim.buffer, 0, 8));
            List<QueuePairConfig> foreign = List.of(
                    QueuePairConfig.of(attacker.domain, victim.queue).withRecvCq(attacker.queue),
                    attacker.config().withRecvCq(victim.queue));
            for (QueuePairConfig config : foreign) {
                assertThatThrownBy(() -> attacker.domain.queuePair(config))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("does not belong to context");
            }
            assertThatThrownBy(() -> attacker.domain.queuePair(attacker.config().withSrq(receives)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("shared receive queue does not belong to protection domain");
            assertThatThrownBy(() -> attacker.domain.queuePair(victim.config()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another domain");
            assertThat(victim.queue.poll(WorkCompletions.ofCapacity(1))).isZero();
        }
    }

    // RFC 5040 §8.1.2: scarce resources are the manager's, and no application takes those of another.
    @Test
    @Requirement({"RDMAP-8.1.2-2-01", "RDMAP-8.1.2-6-01", "DDP-8.3.2-01", "SEC-6.4.1-01"})
    void whatOneContextUsesUpAnotherStillHas() {
        try (Peer greedy = new Peer(shm);
                Peer other = new Peer(shm)) {
            List<ProtectionDomain> taken = new ArrayList<>();
            int most = greedy.verbs.capabilities().maxPd();
            for (int i = 1; i < most; i++) {
                taken.add(greedy.verbs.protectionDomain());
            }
            assertThatThrownBy(greedy.verbs::protectionDomain)
                    .isInstanceOf(ResourceException.class)
                    .hasMessageContaining(most + " protection domains");
            other.verbs.protectionDomain().close();
            taken.removeLast().close();
            greedy.verbs.protectionDomain().close();
            taken.forEach(ProtectionDomain::close);
        }
    }

    // RFC 5040 §8.1.2: none of the scarce objects is to be had past the quota.
    @ParameterizedTest
    @ValueSource(strings = {"queue pairs", "completion queues", "shared receive queues", "registrations and windows"})
    @Requirement("RDMAP-8.1.2-2-01")
    void nothingScarceIsHadPastTheQuota(String kind) {
        try (Peer greedy = new Peer(shm);
                Peer other = new Peer(shm)) {
            IwarpVerbs verbs = (IwarpVerbs) greedy.verbs;
            boolean regions = kind.startsWith("registrations");
            int limit = switch (kind) {
                case "queue pairs" -> verbs.capabilities().maxQp();
                case "completion queues" -> verbs.capabilities().maxCq() - 1;
                case "shared receive queues" -> verbs.capabilities().maxSrq();
                default -> verbs.capabilities().maxMr() - 1;
            };
            for (int i = 0; i < limit; i++) {
                if (regions) {
                    assertThat(verbs.context().stags().reserve(1))
                            .as("region %d", i)
                            .isNotNull();
                } else {
                    quota(verbs, kind).take();
                }
            }
            assertThatThrownBy(() -> make(greedy, kind))
                    .isInstanceOf(ResourceException.class)
                    .hasMessageContaining(kind);
            make(other, kind).run();
        }
    }

    private static Quota quota(IwarpVerbs verbs, String kind) {
        return switch (kind) {
            case "queue pairs" -> verbs.context().queuePairs();
            case "completion queues" -> verbs.context().completionQueues();
            default -> verbs.context().sharedReceiveQueues();
        };
    }

    // Makes one and returns what closes it.
    private static Runnable make(Peer peer, String kind) {
        return switch (kind) {
            case "queue pairs" -> peer.domain.queuePair(peer.config())::close;
            case "completion queues" -> peer.verbs.completionQueue(1)::close;
            case "shared receive queues" ->
                peer.domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(1).withSge(1))::close;
            default -> peer.domain.allocate(64, Access.LOCAL_WRITE)::close;
        };
    }

    // RFC 5040 §8.1.1, §8.1.2: what a context connects completes in its own queues.
    @Test
    @Requirement({"RDMAP-8.1.1-9-01", "RDMAP-8.1.2-1-01"})
    void connectsNeitherQueuePairsNorDomainsOfAnother() {
        try (Peer client = new Peer(shm);
                Peer bystander = new Peer(shm);
                Listener listener = bystander.verbs.listen(ANY_PORT);
                QueuePair theirs = bystander.domain.queuePair(bystander.config())) {
            ConnectionConfig config = ConnectionConfig.defaults();
            Deadline soon = Deadline.in(5, TimeUnit.SECONDS);
            assertThatThrownBy(() -> client.verbs.connect(listener.localAddress(), theirs, config, soon))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.verbs.connect(listener.localAddress(), bystander.config(), config, soon))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
