package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

@Timeout(60)
class LifetimeTest {

    private static Set<Thread> loops() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("iwarp-loop"))
                .collect(Collectors.toSet());
    }

    @Test
    void leavesNoThreadBehind() throws Exception {
        Set<Thread> before = loops();
        Peer client = new Peer();
        Peer server = new Peer();
        Set<Thread> between = loops();
        Peer.connect(client, server);
        client.close();
        server.close();

        assertThat(between).hasSize(before.size() + 2);
        between.removeAll(before);
        assertThat(between).allMatch(thread -> !thread.isAlive());
    }

    @Test
    void namesWhatMustBeClosedFirst() {
        Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
        ProtectionDomain domain = verbs.protectionDomain();
        CompletionQueue queue = verbs.completionQueue(8);
        RegisteredBuffer buffer = domain.allocate(100, Access.LOCAL_WRITE);
        QueuePair queuePair = domain.queuePair(QueuePairConfig.of(domain, queue));

        assertThatThrownBy(queue::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue pair " + queuePair.number());
        assertThatThrownBy(domain::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("registered buffer");
        assertThatThrownBy(verbs::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("completion queue");

        queuePair.close();
        assertThatThrownBy(() -> queuePair.send(1, buffer, 0, 1, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue pair " + queuePair.number() + " is closed");
        queuePair.close();
        queue.close();
        buffer.close();
        domain.close();
        verbs.close();
        verbs.close();
        assertThatThrownBy(verbs::protectionDomain).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void deregistrationDoesNotWaitForEverForAnAccess() throws IOException {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
                ProtectionDomain domain = verbs.protectionDomain();
                RawStream raw = new RawStream((event, fault) -> {})) {
            IwarpProtectionDomain ours = (IwarpProtectionDomain) domain;
            raw.stream.start(Negotiated.builder(true).depths(1).emss(65_000).build(), 0);
            PostStatus.check(raw.stream.sends().post(SendOpcode.SEND, 1, 0, 5000, raw.region.stag(), 0, 0, 0, 0));
            assertThat(raw.stream.transmit(0).isEmpty()).isFalse();

            assertThatThrownBy(() -> ours.regions().disable(raw.region, TimeUnit.MILLISECONDS.toNanos(50)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is still accessed")
                    .hasMessageContaining("close it again");
            raw.stream.sent(0, 0);
            ours.regions().disable(raw.region);
            assertThat(raw.region.quiescent()).isTrue();
        }
    }

    @Test
    void registersBorrowedMemoryZeroBased() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
                ProtectionDomain domain = verbs.protectionDomain();
                Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(4096);
            try (RegisteredBuffer plain = domain.register(segment, Access.LOCAL_WRITE);
                    RegisteredBuffer zero = domain.register(segment, Access.REMOTE_READ, Access.ZERO_BASED)) {
                assertThat(plain.iova()).isEqualTo(segment.address());
                assertThat(zero.iova()).isZero();
                assertThat(plain.rkey()).isNotEqualTo(zero.rkey());
                assertThat(plain.lkey()).isEqualTo(plain.rkey());
            }
        }
    }

    @Test
    void refusesMemoryThatPeersMustNotWrite() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
                ProtectionDomain domain = verbs.protectionDomain();
                Arena confined = Arena.ofConfined()) {
            assertThatThrownBy(() -> domain.allocate(10, Access.REMOTE_WRITE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("LOCAL_WRITE");
            assertThatThrownBy(() -> domain.register(MemorySegment.ofArray(new byte[10]), Access.LOCAL_WRITE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("heap");
            assertThatThrownBy(() -> domain.register(confined.allocate(10), Access.LOCAL_WRITE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("confined");
            assertThatThrownBy(() -> domain.allocate(10, Access.LOCAL_WRITE, Access.ON_DEMAND))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void refusesQueuePairsBeyondTheCapabilities() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
                ProtectionDomain domain = verbs.protectionDomain();
                ProtectionDomain other = verbs.protectionDomain();
                CompletionQueue queue = verbs.completionQueue(8)) {
            QueuePairConfig config = QueuePairConfig.of(domain, queue);
            int most = verbs.capabilities().maxQpWr();

            assertThatThrownBy(() -> domain.queuePair(config.withDepth(most + 1, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maxSendWr");
            assertThatThrownBy(() -> other.queuePair(config)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> domain.queuePair(config.withType(org.panamaverbs.api.QueuePairType.UD)))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> verbs.completionQueue(0)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void refusesDevicesThatItDoesNotHave() {
        OpenConfig config = OpenConfig.provider("iwarp").withDevice("mlx5_0");

        assertThatThrownBy(() -> Verbs.open(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("iwarp0");
    }
}
