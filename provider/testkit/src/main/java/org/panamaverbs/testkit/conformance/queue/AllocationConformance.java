package org.panamaverbs.testkit.conformance.queue;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.ext.PlacementType;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.process.Allocation;

/** A steady loop of posting and polling allocates nothing on the calling thread, whatever the operation. */
public abstract class AllocationConformance extends Conformance {
    private static final int OPERATIONS = Integer.getInteger("verbs.test.operations", 10_000);
    private static final int ROUNDS = Integer.getInteger("verbs.test.rounds", 12);

    /** For subclasses. */
    protected AllocationConformance() {}

    @BeforeEach
    void requiresNoGarbage() {
        guaranteed(openA(), Guarantee.NO_GARBAGE);
    }

    @Test
    void sendAndReceive() {
        Loop loop = new Loop(pair());
        loop.expectNoAllocation(true, () -> loop.qpA.send(1, loop.local, 0, 64, SIGNALED));
    }

    @Test
    void largeSendAndReceive() {
        Loop loop = new Loop(pair());
        loop.expectNoAllocation(true, () -> loop.qpA.send(1, loop.local, 0, 16_384, SIGNALED));
    }

    @Test
    void inlineSendAndReceive() {
        Loop loop = new Loop(pair());
        int size = loop.qpA.config().maxInlineBytes();
        requires(size > 0, loop.pair.a().verbs(), "has no inline data");
        MemorySegment data = MemorySegment.ofArray(new byte[size]);
        loop.expectNoAllocation(true, () -> loop.qpA.sendInline(1, data, 0, size, SIGNALED));
    }

    @Test
    void gatheredSendAndReceive() {
        Loop loop = new Loop(pair());
        requires(loop.qpA.config().maxSendSge() >= 2, loop.pair.a().verbs(), "takes one piece a work request");
        SgList list = SgList.ofCapacity(2);
        loop.expectNoAllocation(
                true, () -> loop.qpA.send(1, list.clear().add(loop.local, 0, 10).add(loop.local, 20, 1000), SIGNALED));
    }

    @Test
    void batchedSendAndReceive() {
        Loop loop = new Loop(pair());
        loop.expectNoAllocation(true, () -> {
            int status = loop.qpA.batch().send(1, loop.local, 0, 64, SIGNALED);
            return status < 0 ? status : loop.qpA.batch().submit();
        });
    }

    @Test
    void sendsAndListsOfReceives() {
        Loop loop = new Loop(pair());
        ReceiveList list = ReceiveList.ofCapacity(4);
        loop.measure(() -> {
            Deadline deadline = Waits.deadline();
            for (int i = 0; i < OPERATIONS; i++) {
                if (i % list.capacity() == 0) {
                    list.clear();
                    while (list.count() < list.capacity()) {
                        list.add(i, loop.sink, 0, 64);
                    }
                    Loop.require(loop.qpB.recv(list) == list.count());
                }
                Loop.require(loop.qpA.send(1, loop.local, 0, 64, SIGNALED) >= 0);
                loop.awaitBoth(true, deadline);
            }
        });
    }

    @Test
    void write() {
        Loop loop = new Loop(pair());
        loop.expectNoAllocation(false, () -> loop.qpA.write(1, loop.local, 0, 64, loop.remote, 0, SIGNALED));
    }

    @Test
    void largeWrite() {
        Loop loop = new Loop(pair());
        loop.expectNoAllocation(false, () -> loop.qpA.write(1, loop.local, 0, 16_384, loop.remote, 0, SIGNALED));
    }

    @Test
    void read() {
        Loop loop = new Loop(pair());
        loop.expectNoAllocation(false, () -> loop.qpA.read(1, loop.local, 0, 64, loop.remote, 0, SIGNALED));
    }

    @Test
    void largeRead() {
        Loop loop = new Loop(pair());
        loop.expectNoAllocation(false, () -> loop.qpA.read(1, loop.local, 0, 16_384, loop.remote, 0, SIGNALED));
    }

    @Test
    void fetchAdd() {
        Loop loop = new Loop(pair(Feature.ATOMICS));
        loop.expectNoAllocation(false, () -> loop.qpA.fetchAdd(1, loop.local, 0, loop.remote, 0, 1, SIGNALED));
    }

    @Test
    void cmpSwap() {
        Loop loop = new Loop(pair(Feature.ATOMICS));
        loop.expectNoAllocation(false, () -> loop.qpA.cmpSwap(1, loop.local, 0, loop.remote, 0, 1, 2, SIGNALED));
    }

    @Test
    void maskedFetchAdd() {
        Loop loop = new Loop(pair(Feature.MASKED_ATOMICS));
        loop.expectNoAllocation(
                false, () -> loop.qpA.maskedFetchAdd(1, loop.local, 0, loop.remote, 0, 1, 1L << 31, SIGNALED));
    }

    @Test
    @Needs(Feature.ATOMIC_WRITE)
    void atomicWrite() {
        Loop loop = new Loop(madeFor(Feature.ATOMIC_WRITE));
        loop.expectNoAllocation(false, () -> loop.qpA.atomicWrite(1, 2, loop.remote, 0, SIGNALED));
    }

    @Test
    @Needs(Feature.FLUSH)
    void flush() {
        Loop loop = new Loop(madeFor(Feature.FLUSH));
        RegisteredBuffer target = resources().add(loop.pair.b().domain().allocate(4096, Access.FLUSH_GLOBAL));
        RemoteBuffer flushed = target.remote();
        loop.expectNoAllocation(false, () -> loop.qpA.flush(1, flushed, 0, 4096, PlacementType.GLOBAL, SIGNALED));
    }

    private ConnectedPair madeFor(Feature operation) {
        return pair(PairConfig.defaults().withQueuePairA(config -> config.withSendOps(operation)), operation);
    }

    @Test
    void swap() {
        Loop loop = new Loop(pair(Feature.MASKED_ATOMICS));
        loop.expectNoAllocation(false, () -> loop.qpA.swap(1, loop.local, 0, loop.remote, 0, 2, SIGNALED));
    }

    @Test
    void standaloneImmediate() {
        Loop loop = new Loop(pair(Feature.STANDALONE_IMMEDIATE));
        loop.expectNoAllocation(true, () -> loop.qpA.immediate(1, 2, SIGNALED));
    }

    @Test
    void writeWithImmediate() {
        Loop loop = new Loop(pair(Feature.WRITE_WITH_IMMEDIATE));
        loop.expectNoAllocation(
                true, () -> loop.qpA.writeWithImmediate(1, loop.local, 0, 64, loop.remote, 0, 2, SIGNALED));
    }

    @Test
    void pollingAnEmptyQueue() {
        Loop loop = new Loop(pair());
        loop.measure(() -> {
            for (int i = 0; i < OPERATIONS; i++) {
                loop.queueA.poll(loop.completionsA);
            }
        });
    }

    /** Posts one request; returns the post's status. */
    private interface Post {
        int post();
    }

    /** The two sides of a connection, polled here without anything of the suite between. */
    private static final class Loop {
        final ConnectedPair pair;
        final QueuePair qpA;
        final QueuePair qpB;
        final RegisteredBuffer local;
        final RegisteredBuffer sink;
        final RemoteBuffer remote;
        final CompletionQueue queueA;
        final CompletionQueue queueB;
        final WorkCompletions completionsA = WorkCompletions.ofCapacity(4);
        final WorkCompletions completionsB = WorkCompletions.ofCapacity(4);

        Loop(ConnectedPair pair) {
            this.pair = pair;
            qpA = pair.qpA();
            qpB = pair.qpB();
            local = pair.a().buffer();
            sink = pair.b().buffer();
            remote = sink.remote();
            queueA = pair.a().queue();
            queueB = pair.b().queue();
        }

        /** Measures the loop of {@code post}, with a receive of the peer for each if {@code receives}. */
        void expectNoAllocation(boolean receives, Post post) {
            measure(() -> {
                Deadline deadline = Waits.deadline();
                for (int i = 0; i < OPERATIONS; i++) {
                    if (receives) {
                        require(qpB.recv(i, sink, 0, 32_768) >= 0);
                    }
                    require(post.post() >= 0);
                    awaitBoth(receives, deadline);
                }
            });
        }

        void measure(Runnable round) {
            Allocation.expectNone(OPERATIONS, ROUNDS, round);
        }

        private void awaitBoth(boolean receives, Deadline deadline) {
            boolean sent = false;
            boolean received = !receives;
            for (int spins = 1; !sent || !received; spins++) {
                if (queueA.poll(completionsA) > 0) {
                    require(completionsA.get(0).ok());
                    sent = true;
                }
                if (queueB.poll(completionsB) > 0) {
                    require(completionsB.get(0).ok());
                    received = true;
                }
                if ((spins & 0xFFF) == 0) {
                    require(!deadline.passed());
                    pause();
                }
            }
        }

        @SuppressWarnings("ThreadPriorityCheck") // the peer's threads share the processors with this one
        private static void pause() {
            Thread.yield();
        }

        private static void require(boolean condition) {
            if (!condition) {
                throw new AssertionError("an operation failed, was refused or did not complete in time");
            }
        }
    }
}
