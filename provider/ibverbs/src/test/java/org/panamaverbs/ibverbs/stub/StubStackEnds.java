package org.panamaverbs.ibverbs.stub;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.faults.StackEnd;

/**
 * Calls whose stack ends in them, at each depth: no gate stays held, the same call goes on, and everything can be
 * closed. A program, since what stays held would keep JUnit's JVM for ever.
 */
public final class StubStackEnds implements AutoCloseable {
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7174);
    private static final int ROUNDS = Integer.getInteger("faults.rounds", 1);

    private final StubVerbs verbs =
            new StubVerbs(EnumSet.of(Feature.MEMORY_WINDOW_TYPE_2, Feature.SHARED_RECEIVE_QUEUE));
    private final CompletionQueue queue = verbs.queue(4096);
    private final RegisteredBuffer buffer =
            verbs.domain().allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
    private final IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
    private final SharedReceiveQueue shared = verbs.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(16));
    private final Connection connection = verbs.connections()
            .connect(PEER, queuePair, false, ConnectionConfig.defaults(), Deadline.in(5, TimeUnit.SECONDS));
    private final WorkCompletions completions = WorkCompletions.ofCapacity(8);

    /** What is called. */
    @SuppressWarnings("ImmutableEnumChecker") // of functions that hold nothing
    enum Call {
        SEND(ends -> () -> ends.queuePair.send(1, ends.buffer, 0, 100, SIGNALED)),
        WRITE(ends -> () -> ends.queuePair.write(2, ends.buffer, 0, 1000, ends.buffer.remote(), 0, SIGNALED)),
        RECV(ends -> () -> ends.queuePair.recv(3, ends.buffer, 0, 100)),
        SHARED_RECV(ends -> () -> ends.shared.recv(4, ends.buffer, 0, 100)),
        BATCH(ends -> {
            Batch batch = ends.queuePair.batch();
            return () -> {
                try {
                    batch.send(5, ends.buffer, 0, 100, SIGNALED);
                } finally {
                    batch.submit();
                }
            };
        }),
        POLL(ends -> () -> {
            ends.queuePair.send(1, ends.buffer, 0, 100, SIGNALED);
            ends.queue.poll(ends.completions);
        }),
        REGISTER(ends ->
                () -> ends.verbs.domain().allocate(4096, Access.LOCAL_WRITE).close()),
        COMPLETION_QUEUE(ends -> () -> CompletionQueueMaker.make(ends.verbs.context(), CompletionQueueConfig.of(16))
                .close()),
        QUEUE_PAIR(ends -> () -> ends.verbs
                .domain()
                .queuePair(QueuePairConfig.of(ends.verbs.domain(), ends.queue))
                .close());

        private final Function<StubStackEnds, Runnable> made;

        Call(Function<StubStackEnds, Runnable> made) {
            this.made = made;
        }
    }

    private StubStackEnds() {}

    /** Prints a line for each call: its name, how often it was tried, how often the stack ended. */
    public static void main(String[] args) throws Exception {
        Stub.oblige(true);
        for (Call call : Call.values()) {
            try (StubStackEnds ends = new StubStackEnds()) {
                ends.through(call);
            }
        }
    }

    private void through(Call call) throws Exception {
        Runnable run = call.made.apply(this);
        run.run();
        int tried = 0;
        int overflows = 0;
        for (int round = 0; round < ROUNDS; round++) {
            StackEnd.Outcome outcome = StackEnd.each(run);
            tried += outcome.tried();
            overflows += outcome.overflows();
            drain();
        }
        System.out.println(call + " " + tried + " " + overflows);
        run.run();
        drain();
        QueuePair used = connection.queuePair();
        if (used.send(9, buffer, 0, 100, SIGNALED) != PostStatus.ACCEPTED || queue.poll(completions) == 0) {
            throw new AssertionError("the queue pair does not send any more after " + call);
        }
    }

    private void drain() {
        while (queue.poll(completions) != 0) {
            // Until there are no more.
        }
    }

    @Override
    public void close() {
        connection.close();
        queuePair.close();
        shared.close();
        buffer.close();
        queue.close();
        verbs.close();
    }
}
