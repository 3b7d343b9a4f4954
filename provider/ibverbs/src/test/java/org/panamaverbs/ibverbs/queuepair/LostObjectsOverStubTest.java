package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.completion.Drained;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.LeakReporter;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.Waits;

/** What is lost without being closed is not kept by its context or its queues, so that it is reported. */
class LostObjectsOverStubTest {
    private final Queue<String> reports = new ConcurrentLinkedQueue<>();
    private StubVerbs verbs;
    private Consumer<? super LeakReporter.Leak> before;

    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @BeforeEach
    void listenToReports() {
        verbs = new StubVerbs(EnumSet.of(
                Feature.SHARED_RECEIVE_QUEUE, Feature.MEMORY_WINDOW_TYPE_2)); // stays open: what is lost counts as open
        before = LeakReporter.reportTo(leak -> reports.add(leak.resource()));
    }

    @AfterEach
    void restore() {
        LeakReporter.reportTo(before);
    }

    @Test
    void completionQueueIsReported() {
        awaitReport(loseCompletionQueue());
    }

    @Test
    void queuePairIsReportedWhileItsQueueLives() {
        IbvCompletionQueue queue = verbs.queue(16);
        awaitReport(loseQueuePair(queue));
        assertThat(queue.isOpen()).isTrue();
    }

    @Test
    void queuePairWithAMarkerUnderWayIsReported() {
        IbvCompletionQueue queue = verbs.queue(1024);
        awaitReport(loseUndrained(queue));
        assertThat(queue.isOpen()).isTrue();
    }

    @Test
    void sharedReceiveQueueIsReportedWhileItsDomainAndQueueLive() {
        IbvCompletionQueue queue = verbs.queue(1024);
        awaitReport(loseSharedReceiveQueue(queue));
        assertThat(queue.isOpen()).isTrue();
    }

    @Test
    void boundWindowIsReportedWhileItsBufferLivesWhichCanBeClosedThen() {
        IbvCompletionQueue queue = verbs.queue(1024);
        IbvQueuePair queuePair = verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        RegisteredBuffer buffer =
                verbs.domain().allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.MEMORY_WINDOW_BIND);
        awaitReport(loseBoundWindow(queuePair, buffer));
        buffer.close(); // which takes the native window away, or else it is busy
        queuePair.close();
    }

    // In frames of their own, so that no local variable keeps the object.

    private String loseCompletionQueue() {
        return CompletionQueueMaker.make(verbs.context(), CompletionQueueConfig.of(16))
                .resourceName();
    }

    private String loseQueuePair(IbvCompletionQueue queue) {
        return verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue)).resourceName();
    }

    private String loseUndrained(IbvCompletionQueue queue) {
        IbvQueuePair made = verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue));
        made.modify(QueuePairAttributes.to(QueuePairState.RTS));
        Stub.hold(made.number(), true);
        assertThat(made.drain(Waits.brief())).isEqualTo(Drained.LATE);
        return made.resourceName();
    }

    private String loseBoundWindow(IbvQueuePair queuePair, RegisteredBuffer buffer) {
        MemoryWindow window = verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_2);
        assertThat(queuePair.bind(1, window, buffer, 0, 64, SendFlag.SIGNALED, Access.REMOTE_WRITE))
                .isEqualTo(PostStatus.ACCEPTED);
        return ((ManagedResource) window).resourceName();
    }

    private String loseSharedReceiveQueue(IbvCompletionQueue queue) {
        var shared = verbs.domain()
                .sharedReceiveQueue(SharedReceiveQueueConfig.of(16).withSge(1));
        verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue).withSrq(shared));
        return ((ManagedResource) shared).resourceName();
    }

    private void awaitReport(String name) {
        Stub.await("a report of " + name, () -> {
            System.gc();
            return reports.contains(name);
        });
    }
}
