package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.iwarp.core.work.Completions;
import org.panamaverbs.iwarp.core.work.ReceiveRing;
import org.panamaverbs.iwarp.core.work.ReceiveSlot;
import org.panamaverbs.iwarp.core.work.ReceiveSource;
import org.panamaverbs.iwarp.core.work.SendRing;
import org.panamaverbs.iwarp.core.work.StreamConfig;
import org.panamaverbs.iwarp.engine.objects.IwarpCompletionQueue;
import org.panamaverbs.iwarp.engine.objects.IwarpSharedReceiveQueue;
import org.panamaverbs.testkit.faults.StackEnd;

/** A call that overflows the stack has neither put a completion into a queue nor taken one out, nor lost a receive. */
@Timeout(60)
@Tag("proof")
class CompletionsAtStackEndTest {
    // As many as a channel has places for before it makes more.
    private static final int PLACES = 16;

    private final WorkCompletions completions = WorkCompletions.ofCapacity(4);
    private final List<Long> polled = new ArrayList<>(4096);
    private long next;
    private int count;
    private boolean taken;
    private Optional<CompletionQueue> event = Optional.empty();

    private static StreamConfig config() {
        return StreamConfig.builder()
                .qpNumber(1)
                .domainId(1)
                .maxSendWr(1)
                .maxSendSge(1)
                .maxRecvSge(1)
                .maxInlineBytes(0)
                .lingerNanos(0)
                .build();
    }

    private void complete(IwarpCompletionQueue queue) {
        queue.complete(next, WcStatus.SUCCESS, WcOpcode.SEND, 1, 0, 0, 0, 0);
        next++;
    }

    private void note() {
        for (int i = 0; i < count; i++) {
            polled.add(completions.get(i).wrId());
        }
        count = 0;
    }

    private void drain(IwarpCompletionQueue queue) {
        do {
            count = queue.poll(completions);
            note();
        } while (completions.count() != 0);
    }

    private void assertEachOnce() {
        assertThat(polled)
                .containsExactlyElementsOf(LongStream.range(0, next).boxed().toList());
    }

    @RepeatedTest(3)
    void aPollThatOverflowsHasTakenNothingOut() throws Exception {
        try (Peer peer = new Peer(64)) {
            IwarpCompletionQueue queue = (IwarpCompletionQueue) peer.queue;
            for (int i = 0; i < 8; i++) {
                complete(queue);
            }
            StackEnd.Outcome outcome = StackEnd.each(() -> count = queue.poll(completions), () -> {
                note();
                for (int i = 0; i < 4; i++) {
                    complete(queue);
                }
                if (polled.size() + 32 < next) {
                    drain(queue);
                }
            });
            drain(queue);

            assertThat(outcome.overflows()).isPositive();
            assertEachOnce();
        }
    }

    @RepeatedTest(3)
    void aCompletionThatOverflowsIsNotThere() throws Exception {
        try (Peer peer = new Peer(64)) {
            IwarpCompletionQueue queue = (IwarpCompletionQueue) peer.queue;
            StackEnd.Outcome outcome = StackEnd.each(() -> complete(queue), () -> drain(queue));

            assertThat(outcome.overflows()).isPositive();
            assertEachOnce();
        }
    }

    @RepeatedTest(3)
    void aCompletionWhoseEventOverflowsIsThereAndWhoWaitsFindsIt() throws Exception {
        try (Peer peer = new Peer(64);
                CompletionChannel channel = peer.verbs.completionChannel();
                CompletionQueue queue =
                        peer.verbs.completionQueue(CompletionQueueConfig.of(64).withChannel(channel))) {
            IwarpCompletionQueue ours = (IwarpCompletionQueue) queue;
            queue.arm(false);
            StackEnd.Outcome outcome = StackEnd.each(() -> complete(ours), () -> {
                if (polled.size() < next) {
                    assertThat(channel.await(Peer.soon())).contains(queue);
                    drain(ours);
                    queue.arm(false);
                }
            });

            assertThat(outcome.overflows()).isPositive();
            assertEachOnce();
            assertThat(channel.await(Deadline.now())).isEmpty();
        }
    }

    @RepeatedTest(3)
    void aWaitThatOverflowsHasTakenNoEvent() throws Exception {
        try (Peer peer = new Peer(64);
                CompletionChannel channel = peer.verbs.completionChannel();
                CompletionQueue queue =
                        peer.verbs.completionQueue(CompletionQueueConfig.of(64).withChannel(channel))) {
            IwarpCompletionQueue ours = (IwarpCompletionQueue) queue;
            queue.arm(false);
            complete(ours);
            StackEnd.Outcome outcome = StackEnd.each(() -> event = channel.await(Deadline.now()), () -> {
                if (event.isPresent()) {
                    event = Optional.empty();
                    drain(ours);
                    queue.arm(false);
                    complete(ours);
                }
            });

            assertThat(outcome.overflows()).isPositive();
            assertThat(channel.await(Deadline.now())).contains(queue);
        }
    }

    @RepeatedTest(3)
    void anEventThatOverflowsLosesNoOther() throws Exception {
        try (Peer peer = new Peer(64)) {
            Events events = new Events(peer);
            StackEnd.Outcome outcome = StackEnd.each(() -> complete(events.queues.getLast()), () -> {
                events.assertThere();
                events.close();
                events.open();
            });
            events.close();

            assertThat(outcome.overflows()).isPositive();
            assertThat(outcome.tried()).isGreaterThan(outcome.overflows());
        }
    }

    /** A channel whose queues have all raised an event but the last. */
    private final class Events {
        private final Peer peer;
        private final List<IwarpCompletionQueue> queues = new ArrayList<>();
        private CompletionChannel channel;

        Events(Peer peer) {
            this.peer = peer;
            channel = peer.verbs.completionChannel();
            raise();
        }

        void open() {
            channel = peer.verbs.completionChannel();
            raise();
        }

        private void raise() {
            while (queues.size() <= PLACES) {
                IwarpCompletionQueue queue = (IwarpCompletionQueue)
                        peer.verbs.completionQueue(CompletionQueueConfig.of(1).withChannel(channel));
                queue.arm(false);
                if (queues.size() < PLACES) {
                    complete(queue);
                }
                queues.add(queue);
            }
        }

        private void assertThere() {
            for (CompletionQueue each : queues.subList(0, PLACES)) {
                assertThat(channel.await(Deadline.now())).contains(each);
            }
            boolean completed = queues.getLast().poll(completions) > 0;
            assertThat(channel.await(Deadline.now()).isPresent()).isEqualTo(completed);
        }

        private void close() {
            queues.forEach(CompletionQueue::close);
            queues.clear();
            channel.close();
        }
    }

    @RepeatedTest(3)
    void anOverrunIsToldThoughTheCallThatFoundItOverflows() throws Exception {
        try (Peer peer = new Peer(64);
                CompletionChannel channel = peer.verbs.completionChannel();
                CompletionQueue queue =
                        peer.verbs.completionQueue(CompletionQueueConfig.of(1).withChannel(channel))) {
            IwarpCompletionQueue ours = (IwarpCompletionQueue) queue;
            complete(ours);
            queue.arm(false);
            StackEnd.Outcome outcome = StackEnd.each(() -> complete(ours));

            assertThat(outcome.overflows()).isPositive();
            assertThat(channel.await(Peer.soon())).contains(queue);
            assertThat(peer.event(AsyncEvent.Type.CQ_ERROR).source()).isSameAs(queue);
        }
    }

    @RepeatedTest(3)
    void aSharedReceiveIsNotLostThoughTheTellingOfItsQueuesLimitOverflows() throws Exception {
        try (Peer peer = new Peer(64);
                SharedReceiveQueue shared = peer.domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(8))) {
            ReceiveSource source = ((IwarpSharedReceiveQueue) shared).sourceFor(1);
            ReceiveSlot slot = new ReceiveSlot(1);
            Runnable note = () -> {
                if (taken) {
                    polled.add(slot.wrId);
                    taken = false;
                }
                while (shared.recv(next, peer.buffer, 0, 1) == PostStatus.ACCEPTED) {
                    next++;
                }
                shared.armLimit(8);
            };
            note.run();
            StackEnd.Outcome outcome = StackEnd.each(() -> taken = source.take(slot), note);
            while (source.take(slot)) {
                polled.add(slot.wrId);
            }

            assertThat(outcome.overflows()).isPositive();
            assertEachOnce();
            assertThat(peer.event(AsyncEvent.Type.SRQ_LIMIT_REACHED).source()).isSameAs(shared);
        }
    }

    @RepeatedTest(3)
    void aFlushThatOverflowsLosesNoReceive() throws Exception {
        try (Peer peer = new Peer(64)) {
            IwarpCompletionQueue queue = (IwarpCompletionQueue) peer.queue;
            ReceiveRing ring = new ReceiveRing(8, 1);
            Completions flushing = new Completions(config(), new SendRing(1, 1, 0, Arena.ofAuto()), queue, queue, ring);
            StackEnd.Outcome outcome = StackEnd.each(flushing::flushReceives, () -> {
                drain(queue);
                while (ring.post(next, 0, 0, 0) == PostStatus.ACCEPTED) {
                    next++;
                }
            });
            flushing.flushReceives();
            drain(queue);

            assertThat(outcome.overflows()).isPositive();
            assertEachOnce();
        }
    }
}
