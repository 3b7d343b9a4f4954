package org.panamaverbs.bench.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.PostStatus.ACCEPTED;
import static org.panamaverbs.api.PostStatus.QUEUE_FULL;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** The provider's queue pair and completion queue reach the stub through the whole data path and allocate nothing. */
class ObjectsOverStubTest {
    private static final int NO_MEMORY = 12; // asm-generic/errno-base.h: ENOMEM

    private final WorkCompletions completions = WorkCompletions.ofCapacity(16);

    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @AfterEach
    void reset() {
        Stub.postResult(0);
        Floor.completions(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void postsAreAnsweredByTheStub(boolean critical) {
        try (StubObjects verbs = new StubObjects(critical)) {
            assertThat(write(verbs)).isEqualTo(ACCEPTED);
            Stub.postResult(NO_MEMORY);
            assertThat(write(verbs)).isEqualTo(QUEUE_FULL);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pollsReadTheStubsCompletions(boolean critical) {
        try (StubObjects verbs = new StubObjects(critical)) {
            assertThat(verbs.queue.poll(completions)).isZero();
            Floor.completions(16);
            assertThat(verbs.queue.poll(completions)).isEqualTo(16);
            assertThat(completions.get(15).wrId()).isEqualTo(completions.get(0).wrId() + 15);
            assertThat(completions.get(15).ok()).isTrue();
            assertThat(completions.get(15).opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
            assertThat(completions.get(15).byteCount()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void postingAllocatesNothing(boolean critical) {
        try (StubObjects verbs = new StubObjects(critical)) {
            QueuePair queuePair = verbs.queuePair;
            RegisteredBuffer buffer = verbs.buffer;
            RemoteBuffer remote = verbs.buffer.remote();
            Allocation.none(() -> queuePair.write(1, buffer, 0, 64, remote, 0, SIGNALED));
            Allocation.none(() -> queuePair.send(1, buffer, 0, 64, 0));
            Allocation.none(() -> queuePair.sendInline(1, buffer.segment(), 0, 64, 0));
            Allocation.none(() -> queuePair.recv(1, buffer, 0, 64));
            ReceiveList list = ReceiveList.ofCapacity(64);
            Allocation.none(() -> {
                list.clear();
                while (list.count() < list.capacity()) {
                    list.add(list.count(), buffer, 0, 64);
                }
                return queuePair.recv(list);
            });
            Allocation.none(() -> queuePair.batch().write(1, buffer, 0, 64, remote, 0, SIGNALED)
                    + queuePair.batch().submit());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pollingAllocatesNothing(boolean critical) {
        try (StubObjects verbs = new StubObjects(critical)) {
            CompletionQueue queue = verbs.queue;
            Allocation.none(() -> queue.poll(completions));
            Floor.completions(1);
            Allocation.none(() -> queue.poll(completions));
            Floor.completions(16);
            Allocation.none(() -> queue.poll(completions));
        }
    }

    private static int write(StubObjects verbs) {
        return verbs.queuePair.write(1, verbs.buffer, 0, 64, verbs.buffer.remote(), 0, SIGNALED);
    }
}
