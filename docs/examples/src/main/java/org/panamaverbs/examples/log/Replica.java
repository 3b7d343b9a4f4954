package org.panamaverbs.examples.log;

import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.REMOTE_ATOMIC;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.net.InetSocketAddress;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.memory.AtomicTarget;
import org.panamaverbs.memory.RegisteredBuffer;

/** A replica lends memory to the leader. Its processor has no part in an entry. */
final class Replica {
    private static final long LOOK_NANOS = 100_000;

    private Replica() {}

    /**
     * Runs a replica until the leader has hung up, or until it leaves by itself.
     *
     * @param fail after how many entries it leaves without a word, 0 for never
     * @param listening is told where it listens
     */
    static void run(
            TwoEnds ends,
            String name,
            int entries,
            int fail,
            InetSocketAddress address,
            Consumer<InetSocketAddress> listening) {
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var log = domain.allocate(LogLayout.bytes(entries), LOCAL_WRITE, REMOTE_WRITE, REMOTE_ATOMIC);
                var queue = verbs.completionQueue(1);
                var listener = verbs.listen(address)) {
            AtomicTarget tail = log.atomicTarget(LogLayout.TAIL);
            var config = QueuePairConfig.of(domain, queue).withDepth(1, 0).withAccess(REMOTE_WRITE, REMOTE_ATOMIC);
            var offer = ConnectionConfig.defaults().withPrivateData(log.remote().encode());
            listening.accept(listener.localAddress());
            try (var request = listener.accept(ends.deadline());
                    Connection connection = request.accept(config, offer, ends.deadline())) {
                if (fail > 0 && fail < entries) {
                    awaitEntries(tail, fail, ends.deadline());
                    ends.say("%s: leaves without a word, with %,d entries or more", name, fail);
                    return; // what is closed on the way out aborts the connection
                }
                if (!connection.awaitDisconnect(ends.deadline())) {
                    throw new DeadlineExceededException("log", "the leader is still there");
                }
            }
            check(name, log, tail.getVolatile(), entries);
            ends.say("%s: has %,d entries, all whole", name, entries);
        }
    }

    /**
     * Looks at the tail now and then: one aligned cell that atomics change is whole at any time, unlike other memory.
     */
    private static void awaitEntries(AtomicTarget tail, int entries, Deadline deadline) {
        while (tail.getVolatile() < entries) {
            if (deadline.passed()) {
                throw new DeadlineExceededException("log", "the leader did not write " + entries + " entries in time");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static void check(String name, RegisteredBuffer log, long tail, int entries) {
        if (tail != entries) {
            throw new IllegalStateException(name + " has " + tail + " entries, and not " + entries);
        }
        for (int number = 0; number < entries; number++) {
            if (!LogLayout.isWhole(log.segment(), number)) {
                throw new IllegalStateException(name + ": entry " + number + " is not as the leader wrote it");
            }
        }
    }
}
