package org.panamaverbs.examples.log;

import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/** The leader has the log, writes each entry to all replicas, and takes it for safe when a majority has it. */
final class Leader {
    /** How many entries a replica may be behind; each takes two places of its send queue, and one completion. */
    private static final int WINDOW = 32;

    private final TwoEnds ends;
    private final CompletionQueue queue;
    private final RegisteredBuffer log;
    private final RegisteredBuffer answers;
    private final List<Follower> followers = new ArrayList<>();
    private final WorkCompletions completions = WorkCompletions.ofCapacity(32);

    /** What the leader knows of a replica. */
    private static final class Follower {
        final Connection connection;
        final RemoteBuffer log;
        long written;
        long has;
        boolean gone;

        Follower(Connection connection) {
            this.connection = connection;
            log = RemoteBuffer.decode(connection.privateData());
        }
    }

    private Leader(TwoEnds ends, CompletionQueue queue, RegisteredBuffer log, RegisteredBuffer answers) {
        this.ends = ends;
        this.queue = queue;
        this.log = log;
        this.answers = answers;
    }

    static void run(TwoEnds ends, List<InetSocketAddress> replicas, int entries) {
        Deadline deadline = ends.deadline();
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var log = domain.allocate(LogLayout.bytes(entries));
                var answers = domain.allocate((long) replicas.size() * Long.BYTES, LOCAL_WRITE);
                // A replica that fails flushes all that is posted, each with a completion.
                var queue = verbs.completionQueue(replicas.size() * WINDOW * 2)) {
            var leader = new Leader(ends, queue, log, answers);
            var config = QueuePairConfig.of(domain, queue).withDepth(2 * WINDOW, 0);
            try {
                for (InetSocketAddress replica : replicas) {
                    leader.followers.add(new Follower(verbs.connect(replica, config, deadline)));
                }
                leader.writeAll(entries);
                leader.hangUp();
            } finally {
                leader.followers.forEach(follower -> follower.connection.close());
            }
        }
    }

    private void writeAll(int entries) {
        long begin = System.nanoTime();
        for (int number = 0; number < entries; number++) {
            LogLayout.put(log.segment(), number);
            for (int index = 0; index < followers.size(); index++) {
                append(index, number);
            }
            while (copies(number) * 2 <= followers.size()) {
                requireMajority(number);
                take(queue.poll(completions, ends.deadline()));
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        ends.say("leader: %,d entries safe in %.3f s, %,.0f a second", entries, seconds, entries / seconds);
    }

    private void append(int index, int number) {
        Follower follower = followers.get(index);
        while (!follower.gone && follower.written - follower.has == WINDOW) {
            take(queue.poll(completions, ends.deadline()));
        }
        if (follower.gone) {
            return;
        }
        QueuePair queuePair = follower.connection.queuePair();
        long at = LogLayout.offset(number);
        // The answer of the FetchAdd says that the Write in front of it is placed: RFC 7306 §7. The tail could not be
        // moved by another Write, which may be placed before the entry is.
        PostStatus.check(queuePair.write(index, log, at, LogLayout.ENTRY_BYTES, follower.log, at, NONE));
        PostStatus.check(queuePair.fetchAdd(
                index, answers, (long) index * Long.BYTES, follower.log, LogLayout.TAIL, 1, SIGNALED));
        follower.written++;
    }

    /** Takes answers; a request that failed is how the leader learns that a replica is gone. */
    private void take(int count) {
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = completions.get(i);
            int index = (int) completion.wrId();
            Follower follower = followers.get(index);
            if (completion.ok()) {
                follower.has++;
            } else if (!follower.gone) {
                follower.gone = true;
                ends.say(
                        "leader: replica %d is gone after %,d entries: %s",
                        index + 1, follower.has, completion.status().text());
            }
        }
    }

    private int copies(int number) {
        int copies = 0;
        for (Follower follower : followers) {
            // Answers come in order, so that this many are the first ones. What a lost replica had does not count.
            if (!follower.gone && follower.has > number) {
                copies++;
            }
        }
        return copies;
    }

    private void requireMajority(int number) {
        long alive = followers.stream().filter(follower -> !follower.gone).count();
        if (alive * 2 <= followers.size()) {
            throw new IllegalStateException("leader: entry " + number + " cannot be made safe, with " + alive + " of "
                    + followers.size() + " replicas");
        }
    }

    private void hangUp() {
        for (Follower follower : followers) {
            while (!follower.gone && follower.has < follower.written) {
                take(queue.poll(completions, ends.deadline()));
            }
            try {
                if (!follower.gone) {
                    follower.connection.disconnect(ends.deadline());
                }
            } catch (ConnectionException e) {
                ends.say("leader: a replica left at the end: %s", e.getMessage());
            }
        }
    }
}
