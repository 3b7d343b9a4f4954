package org.panamaverbs.examples.log;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.channel.Channel;
import org.panamaverbs.channel.ChannelException;
import org.panamaverbs.channel.ChannelGroup;
import org.panamaverbs.channel.FanOut;
import org.panamaverbs.examples.command.TwoEnds;

/** The leader publishes each entry to all replicas, and takes it for safe when a majority has it. */
final class Leader {
    private final TwoEnds ends;
    private final ChannelGroup group;
    private final FanOut replicas = new FanOut();

    private final List<Follower> followers = new ArrayList<>();
    private final int count;

    /** What the leader knows of a replica that is there. */
    private static final class Follower {
        final String name;
        final Channel channel;
        /** How many entries it says that it has. */
        long has;

        Follower(String name, Channel channel) {
            this.name = name;
            this.channel = channel;
        }
    }

    private Leader(TwoEnds ends, ChannelGroup group, List<InetSocketAddress> addresses) {
        this.ends = ends;
        this.group = group;
        count = addresses.size();
        for (InetSocketAddress address : addresses) {
            Channel channel = group.connect(address, ends.deadline());
            replicas.add(channel);
            followers.add(new Follower("replica " + replicas.size(), channel));
        }
    }

    static void run(TwoEnds ends, List<InetSocketAddress> addresses, int entries) {
        try (var verbs = Verbs.open();
                var group = ChannelGroup.open(verbs, ReplicatedLog.CHANNELS);
                var arena = Arena.ofConfined()) {
            var leader = new Leader(ends, group, addresses);
            leader.publishAll(arena.allocate(ReplicatedLog.ENTRY_BYTES), entries);
            leader.hangUp();
        }
    }

    private void publishAll(MemorySegment entry, long entries) {
        int length = (int) entry.byteSize();
        long begin = System.nanoTime();
        for (long number = 0; number < entries; number++) {
            entry.set(JAVA_LONG, 0, number);
            entry.setString(Long.BYTES, "entry " + number + " of the log");
            // A replica that is behind by the window holds the leader up.
            for (int slow = replicas.offer(entry, 0, length); slow > 0; slow = replicas.retry(entry, 0, length)) {
                awaitNews(number);
            }
            while (!isMajority(copies(number))) {
                awaitNews(number);
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        ends.say("leader: %,d entries safe in %.3f s, %,.0f a second", entries, seconds, entries / seconds);
    }

    /** Waits for what replicas say, or for one that is gone. */
    private void awaitNews(long number) {
        if (!group.await(ends.deadline())) {
            throw new DeadlineExceededException("log", "entry " + number + " is not safe");
        }
        group.poll(this::takeCount, 64);
        followers.removeIf(this::isGone);
        if (!isMajority(followers.size())) {
            throw new IllegalStateException("leader: entry " + number + " cannot be made safe, with " + followers.size()
                    + " of " + count + " replicas");
        }
    }

    private void takeCount(Channel from, MemorySegment memory, long offset, int length) {
        for (Follower follower : followers) {
            if (follower.channel.equals(from)) {
                follower.has = memory.get(JAVA_LONG, offset);
            }
        }
    }

    private boolean isGone(Follower follower) {
        boolean gone = follower.channel.subscriber().isClosed();
        if (gone) {
            String why = follower.channel.failure().map(Throwable::toString).orElse("it has ended");
            ends.say("leader: %s is gone after %,d entries: %s", follower.name, follower.has, why);
            replicas.remove(follower.channel);
        }
        return gone;
    }

    private boolean isMajority(long some) {
        return some * 2 > count;
    }

    private long copies(long number) {
        // What a lost replica had does not count.
        return followers.stream().filter(follower -> follower.has > number).count();
    }

    private void hangUp() {
        for (Follower follower : followers) {
            try {
                // Returns when the replica has taken everything.
                follower.channel.disconnect(ends.deadline());
            } catch (ChannelException e) {
                ends.say("leader: %s left at the end: %s", follower.name, e);
            }
        }
    }
}
