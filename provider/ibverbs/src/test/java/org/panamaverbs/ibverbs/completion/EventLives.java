package org.panamaverbs.ibverbs.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.faults.FaultScenario;

/**
 * A queue and a queue pair that live from the making to an event of each. Made by name, by who loads the provider's
 * classes for faults.
 */
public final class EventLives implements FaultScenario {
    // infiniband/verbs.h: enum ibv_event_type
    private static final int SQ_DRAINED = 5;

    private final Deque<ManagedResource> open = new ArrayDeque<>();
    private final StubVerbs verbs;
    private final int objects;
    private final int waiting;
    private int raised;

    public EventLives() {
        Stub.require();
        int others = Stub.settledPolls();
        raised = Stub.asyncTaken();
        verbs = new StubVerbs();
        objects = Stub.objects();
        waiting = others + 1;
    }

    @Override
    public void run() {
        var channel = IbvCompletionChannel.create(verbs.context());
        open.push(channel);
        var queue = CompletionQueueMaker.make(
                verbs.context(), CompletionQueueConfig.of(16).withChannel(channel));
        open.push(queue);
        IbvQueuePair queuePair = verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue));
        open.push(queuePair);
        queue.arm(false);
        assertThat(channel.await(Waits.deadline())).contains(queue);
        Stub.asyncEvent(queuePair.number(), SQ_DRAINED);
        raised++;
        raiseEventOfThePort(); // comes even where memory ran out over the one before
        assertThat(verbs.context().asyncEvent(Waits.deadline())).isPresent();
    }

    private void raiseEventOfThePort() {
        Stub.asyncEvents(1);
        raised++;
    }

    @Override
    public void recover() {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        assertThat(Stub.objects()).isEqualTo(objects);
        raiseEventOfThePort();
        Stub.await("all events are seen", () -> Stub.asyncTaken() == raised && Stub.polls() == waiting);
        while (verbs.context().asyncEvent(Deadline.now()).isPresent()) {
            // It is of no interest any more.
        }
    }

    @Override
    public void close() {
        verbs.close();
    }
}
