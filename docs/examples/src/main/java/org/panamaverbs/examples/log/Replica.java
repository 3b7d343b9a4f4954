package org.panamaverbs.examples.log;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.channel.Channel;
import org.panamaverbs.channel.ChannelGroup;
import org.panamaverbs.examples.command.TwoEnds;

/** A replica records what the leader publishes, and says how much it has. */
final class Replica {
    private final Recording recording;
    private final Channel leader;
    private long recorded;
    private long said;

    private Replica(Recording recording, Channel leader) {
        this.recording = recording;
        this.leader = leader;
    }

    /**
     * Runs a replica until the leader has hung up, or until it leaves by itself.
     *
     * @param fail after how many entries it leaves without a word, 0 for never
     * @param file where it records
     * @param listening is told where it listens
     */
    static void run(
            TwoEnds ends,
            String name,
            int entries,
            int fail,
            Path file,
            InetSocketAddress address,
            Consumer<InetSocketAddress> listening)
            throws IOException {
        try (var verbs = Verbs.open();
                var group = ChannelGroup.open(verbs, ReplicatedLog.CHANNELS);
                var recording = new Recording(file, entries, ReplicatedLog.ENTRY_BYTES);
                var listener = verbs.listen(address)) {
            listening.accept(listener.localAddress());
            Channel leader = group.accept(listener.accept(ends.deadline()), ends.deadline());
            var replica = new Replica(recording, leader);
            while (!leader.subscriber().isClosed()) {
                if (group.poll(replica::record, 64) == 0 && !group.await(ends.deadline())) {
                    throw new DeadlineExceededException("log", "the leader is still there");
                }
                replica.say();
                if (fail > 0 && fail < entries && replica.recorded >= fail) {
                    ends.say("%s: leaves without a word, with %,d entries or more", name, fail);
                    return; // what is closed on the way out aborts the connection
                }
            }
            leader.failure().ifPresent(failure -> {
                throw failure;
            });
            leader.disconnect(ends.deadline());
            if (recording.whole() != entries) {
                throw new IllegalStateException(
                        name + " has " + recording.whole() + " whole entries, and not " + entries);
            }
            ends.say("%s: has %,d entries, all whole", name, entries);
        }
    }

    private void record(Channel from, MemorySegment memory, long offset, int length) {
        recording.append(memory, offset, length);
        recorded++;
    }

    /** Tells the leader how many entries are recorded; if there is no room, the next time. */
    private void say() {
        if (recorded > said && leader.publisher().tryClaim(Long.BYTES) > 0) {
            var claim = leader.publisher().claim();
            claim.segment().set(JAVA_LONG, claim.offset(), recorded);
            claim.commit();
            said = recorded;
        }
    }
}
