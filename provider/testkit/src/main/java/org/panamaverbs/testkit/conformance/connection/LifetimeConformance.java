package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.Waits;

/** Closing: wrong order refused by name, twice is once, and nothing works afterwards. */
public abstract class LifetimeConformance extends Conformance {
    /** For subclasses. */
    protected LifetimeConformance() {}

    @Test
    @ApiCase
    void parentsRefuseToCloseAndNameTheirChildren() {
        Verbs verbs = openA();
        try (ProtectionDomain domain = verbs.protectionDomain();
                RegisteredBuffer buffer = domain.allocate(64, Access.LOCAL_WRITE)) {
            assertThatThrownBy(domain::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("registered buffer");
            assertThatThrownBy(verbs::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("domain");
            assertThat(buffer.isOpen()).isTrue();
            try (RegisteredBuffer another = domain.allocate(64, Access.LOCAL_WRITE)) {
                assertThat(another.isOpen()).isTrue();
            }
        }
    }

    @Test
    @ApiCase
    void queueAndDomainRefuseToCloseWhileQueuePairUsesThem() {
        Endpoint side = sideA();
        QueuePair queuePair = side.newQueuePair(config -> config);
        assertThatThrownBy(side.queue()::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue pair");
        assertThatThrownBy(side.domain()::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue pair");
        assertThat(queuePair.state()).isEqualTo(QueuePairState.INIT);
        queuePair.close();
        side.queue().close();
    }

    @Test
    @ApiCase
    void deviceRefusesToCloseWhileListenerOrQueueIsOpen() {
        Verbs verbs = openB();
        try (CompletionQueue queue = verbs.completionQueue(4)) {
            assertThat(queue.capacity()).isGreaterThanOrEqualTo(4);
            assertThatThrownBy(verbs::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("completion queue");
        }
        try (Listener listener = verbs.listen(provider().listenAddress())) {
            assertThat(listener.localAddress().getPort()).isPositive();
            assertThatThrownBy(verbs::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("listener");
        }
    }

    @Test
    void closingTwiceIsClosingOnce() {
        ConnectedPair pair = pair();
        for (int times = 0; times < 2; times++) {
            pair.link().a().close();
            pair.qpA().close();
            pair.link().b().close();
            pair.qpB().close();
            pair.a().buffer().close();
            pair.a().queue().close();
            pair.a().domain().close();
            pair.a().verbs().close();
            poller().ignore(pair.a().inbox());
        }
        assertThat(pair.a().buffer().isOpen()).isFalse();
    }

    @Test
    @ApiCase
    void nothingWorksAfterClosing() {
        Endpoint side = sideA();
        QueuePair queuePair = side.newQueuePair(config -> config);
        Batch batch = queuePair.batch();
        queuePair.close();
        refusesClosed("queue pair", () -> queuePair.send(1, side.buffer(), 0, 8, SIGNALED));
        refusesClosed("queue pair", () -> queuePair.recv(1, side.buffer(), 0, 8));
        refusesClosed("queue pair", queuePair::query);
        refusesClosed("queue pair", () -> queuePair.modify(QueuePairAttributes.to(QueuePairState.SQD)));
        refusesClosed("queue pair", batch::submit);

        poller().ignore(side.inbox());
        side.queue().close();
        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        refusesClosed("completion queue", () -> side.queue().poll(completions));
        refusesClosed("completion queue", () -> side.queue().arm(false));
        refusesClosed("completion queue", () -> side.queue().resize(-1));
        refusesClosed("completion queue", () -> side.queue().moderate(-1, -1));
        assertThatThrownBy(() -> side.domain().queuePair(side.queuePairConfig()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("completion queue");

        side.buffer().close();
        side.domain().close();
        refusesClosed("domain", () -> side.domain().allocate(-1, Access.LOCAL_WRITE));
        refusesClosed("domain", () -> side.domain().memoryWindow(MemoryWindow.Type.TYPE_2));
        refusesClosed(
                "domain",
                () -> side.domain()
                        .sharedReceiveQueue(SharedReceiveQueueConfig.of(-1).withSge(-1)));
        refusesClosed(
                "domain", () -> side.domain().queuePair(side.queuePairConfig().withDepth(-1, -1)));

        side.verbs().close();
        assertThatThrownBy(() -> side.verbs().protectionDomain()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> side.verbs().completionQueue(-1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> side.verbs().listen(provider().listenAddress()))
                .isInstanceOf(IllegalStateException.class);
    }

    /** Fails unless {@code use} is refused by naming {@code what} is closed, whatever else is wrong with it. */
    private static void refusesClosed(String what, ThrowingCallable use) {
        assertThatThrownBy(use)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(what)
                .hasMessageContaining("closed");
    }

    @Test
    void closedQueuePairEndsTheConnectionForThePeer() {
        ConnectedPair pair = pair();
        pair.qpA().close();
        assertThat(whilePolling("awaitDisconnect", () -> pair.link().b().awaitDisconnect(Waits.deadline())))
                .isTrue();
        assertThat(pair.link().a().isConnected()).isFalse();
    }

    @Test
    @ApiCase
    @Needs(types = QueuePairType.RC)
    void refusesQueuePairOfAnotherDomainsObjects() {
        Endpoint side = sideA();
        ProtectionDomain other = resources().add(side.verbs().protectionDomain());
        assertThatThrownBy(() -> other.queuePair(side.queuePairConfig())).isInstanceOf(IllegalArgumentException.class);
        if (side.capabilities().has(Feature.SHARED_RECEIVE_QUEUE)) {
            SharedReceiveQueue shared = resources()
                    .add(other.sharedReceiveQueue(SharedReceiveQueueConfig.of(4).withSge(1)));
            assertThatThrownBy(() -> side.newQueuePair(config -> config.withSrq(shared)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("shared receive queue does not belong to");
        }
    }

    @Test
    @ApiCase
    @Requirement({"RDMAP-8.1.1-9-01", "RDMAP-8.1.2-1-01"})
    @Needs(types = QueuePairType.RC)
    void refusesQueuesOfAnotherContextInEveryRole() {
        Endpoint side = sideA();
        Endpoint other = sideA();
        QueuePairConfig foreign = QueuePairConfig.of(side.domain(), other.queue());
        assertThatThrownBy(() -> side.domain().queuePair(foreign)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> side.domain().queuePair(foreign.withRecvCq(side.queue())))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> side.newQueuePair(config -> config.withRecvCq(other.queue())))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> side.domain().queuePair(other.queuePairConfig()))
                .isInstanceOf(IllegalArgumentException.class);
        if (other.capabilities().has(Feature.SHARED_RECEIVE_QUEUE)) {
            SharedReceiveQueue shared = resources()
                    .add(other.domain()
                            .sharedReceiveQueue(SharedReceiveQueueConfig.of(4).withSge(1)));
            assertThatThrownBy(() -> side.newQueuePair(config -> config.withSrq(shared)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @ApiCase
    @Requirement({"RDMAP-8.1.1-9-01", "SEC-7.1-01", "RDMAP-8.1.2-1-01"})
    @Needs(types = QueuePairType.RC)
    void refusesObjectsOfAnotherContext() {
        Endpoint side = sideA();
        Endpoint other = sideA();
        assertThatThrownBy(() -> side.newQueuePair(config -> config.withRecvCq(other.queue())))
                .isInstanceOf(IllegalArgumentException.class);
        CompletionChannel channel = resources().add(other.verbs().completionChannel());
        assertThatThrownBy(() -> side.newQueue(CompletionQueueConfig.of(4).withChannel(channel)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @ApiCase
    @Requirement({"RDMAP-8.1.2-2-01", "SEC-6.4.1-01"})
    @Needs(types = QueuePairType.RC)
    void refusesQueuePairBeyondTheCapabilities() {
        Endpoint side = sideA();
        int sends = side.capabilities().maxQpWr();
        int pieces = side.capabilities().maxSge();
        assertThatThrownBy(() -> side.newQueuePair(config -> config.withDepth(sends + 1, 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> side.newQueuePair(config -> config.withSge(pieces + 1, 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> side.newQueuePair(
                        config -> config.withInline(side.capabilities().maxInlineBytes() + 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> side.newQueuePair(config -> config.withDepth(0, 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
