package org.panamaverbs.examples.lock;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.net.InetSocketAddress;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** One client: it counts, and changes the guarded value while it has the lock. */
final class LockClient {
    private static final int RESULT = 0;
    private static final int VALUE = 8;
    private static final int LONGEST_PAUSE = 1 << 10;

    private final QueuePair queuePair;
    private final CompletionQueue queue;
    private final RegisteredBuffer mine;
    private final RemoteBuffer cells;
    private final long id;
    private final Deadline deadline;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(1);
    private long tries;

    private LockClient(
            QueuePair queuePair,
            CompletionQueue queue,
            RegisteredBuffer mine,
            RemoteBuffer cells,
            long id,
            Deadline deadline) {
        this.queuePair = queuePair;
        this.queue = queue;
        this.mine = mine;
        this.cells = cells;
        this.id = id;
        this.deadline = deadline;
    }

    /** Does all rounds; returns how often it asked for the lock. */
    static long run(Verbs verbs, InetSocketAddress server, long id, int rounds, Deadline deadline) {
        try (var domain = verbs.protectionDomain();
                var mine = domain.allocate(16, LOCAL_WRITE);
                var queue = verbs.completionQueue(8);
                var connection =
                        verbs.connect(server, QueuePairConfig.of(domain, queue).withDepth(8, 0), deadline)) {
            var cells = RemoteBuffer.decode(connection.privateData());
            var client = new LockClient(connection.queuePair(), queue, mine, cells, id, deadline);
            for (int round = 0; round < rounds; round++) {
                client.count();
                client.lock();
                client.changeAndUnlock();
            }
            connection.disconnect(deadline);
            return client.tries;
        }
    }

    /** Adds 1 without any lock: the addition is one step at the server, whoever else adds. */
    private void count() {
        PostStatus.check(queuePair.fetchAdd(1, mine, RESULT, cells, Cells.COUNTER, 1, SIGNALED));
        await();
    }

    /** Puts our id where nobody's is; what was there before says whether that succeeded. */
    private void lock() {
        for (int pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
            PostStatus.check(queuePair.cmpSwap(2, mine, RESULT, cells, Cells.OWNER, 0, id, SIGNALED));
            await();
            tries++;
            if (result() == 0) {
                return;
            }
            // Others want it, too: asking less often leaves the server's adapter to who has the lock.
            for (int i = 0; i < pause; i++) {
                Thread.onSpinWait();
            }
            Thread.yield();
        }
    }

    /** Changes the guarded value in two steps, which only a lock makes one, and gives the lock back. */
    private void changeAndUnlock() {
        PostStatus.check(queuePair.read(3, mine, VALUE, Long.BYTES, cells, Cells.GUARDED, SIGNALED));
        await();
        mine.segment().set(JAVA_LONG, VALUE, mine.segment().get(JAVA_LONG, VALUE) + 1);
        PostStatus.check(queuePair.write(4, mine, VALUE, Long.BYTES, cells, Cells.GUARDED, NONE));
        // No wait in between: an atomic is done after all Writes in front of it are placed (docs/guide/ordering.md).
        // Another Write would not do to unlock, since Writes may be placed in any order.
        PostStatus.check(queuePair.cmpSwap(5, mine, RESULT, cells, Cells.OWNER, id, 0, SIGNALED));
        await();
        if (result() != id) {
            throw new IllegalStateException("client " + id + " had the lock, and it was " + result() + "'s");
        }
    }

    private long result() {
        // RFC 7306: the result is in the byte order of this machine.
        return mine.segment().get(JAVA_LONG, RESULT);
    }

    /** Waits for the one signaled request that is under way. */
    private void await() {
        queue.poll(completions, deadline);
        if (!completions.get(0).ok()) {
            throw new IllegalStateException("client " + id + ": " + completions.get(0));
        }
    }
}
