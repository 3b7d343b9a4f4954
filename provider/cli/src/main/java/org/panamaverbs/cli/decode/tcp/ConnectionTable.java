package org.panamaverbs.cli.decode.tcp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a capture, told apart by their two ends, by the links on which they are seen, and by their SYNs
 * where the ends are used again. A connection that is seen on several links is one: its sequence numbers tell. Holds a
 * limited number; beyond it the one that was quiet for longest is ended.
 */
public final class ConnectionTable {
    /** Connections that are followed at once, each counted once for each link. */
    public static final int MAX_CONNECTIONS = 16_384;

    // Connections with equal ends at once; whoever made the capture may have made it of nothing else.
    private static final int MAX_ALIKE = 64;

    private record Ends(Endpoint lower, Endpoint upper) {
        static Ends of(Endpoint a, Endpoint b) {
            return precedes(a, b) ? new Ends(a, b) : new Ends(b, a);
        }

        private static boolean precedes(Endpoint a, Endpoint b) {
            if (a.high() != b.high()) {
                return a.high() < b.high();
            }
            return a.low() == b.low() ? a.port() < b.port() : a.low() < b.low();
        }
    }

    /** Where a connection is seen. */
    private record Path(Ends ends, Link link) {}

    private static final class Entry {
        final Endpoint opener;
        final Conversation conversation;
        final Reassembler fromOpener;
        final Reassembler fromOther;
        // How many paths lead here.
        int paths;
        boolean finished;
        // The SYN's number by what answers it, which may be captured first.
        private final boolean answered;
        private final int openingSequence;

        Entry(TcpSegment first, Conversation.Factory factory, Budget budget) {
            answered = first.syn() && first.ack();
            openingSequence = first.acknowledgment() - 1;
            opener = answered ? first.target() : first.source();
            Endpoint other = answered ? first.source() : first.target();
            conversation = factory.met(opener, other, first.arrival().link());
            fromOpener = new Reassembler(conversation.sink(true), budget);
            fromOther = new Reassembler(conversation.sink(false), budget);
        }

        Reassembler from(Endpoint sender) {
            return sender.equals(opener) ? fromOpener : fromOther;
        }

        /** Tells whether a segment that came on another link is of this connection. */
        boolean fits(TcpSegment segment) {
            Reassembler mine = from(segment.source());
            Reassembler theirs = from(segment.target());
            if (segment.syn() && mine.isStarted()) {
                return !mine.isOther(segment.sequence());
            }
            if (segment.syn() && !segment.ack()) {
                return answered && segment.source().equals(opener) && segment.sequence() == openingSequence;
            }
            boolean acknowledges = segment.ack() && theirs.isStarted();
            return (mine.isStarted() || acknowledges)
                    && (!mine.isStarted() || mine.isNear(segment.sequence()))
                    && (!acknowledges || theirs.isNear(segment.acknowledgment()));
        }

        void take(TcpSegment segment) {
            if (finished) {
                return;
            }
            from(segment.target()).acknowledged(segment); // first: what it says holds for the octets with it
            from(segment.source()).segment(segment);
            if (!conversation.wanted() || (fromOpener.complete() && fromOther.complete())) {
                finish();
            }
        }

        void finish() {
            if (finished) {
                return;
            }
            finished = true;
            if (conversation.wanted()) {
                fromOpener.finish();
                fromOther.finish();
            }
            conversation.finish();
            fromOpener.abandon();
            fromOther.abandon();
        }
    }

    private final Conversation.Factory factory;
    private final Budget budget;
    private final Map<Path, Entry> paths = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Ends, List<Entry>> alike = new HashMap<>();
    private long met;
    private long evicted;

    /** Makes conversations with {@code factory}; all together hold no more than {@code budget} allows. */
    public ConnectionTable(Conversation.Factory factory, Budget budget) {
        this.factory = factory;
        this.budget = budget;
    }

    /** Takes the next segment of the capture, and says whether anybody wants what its connection holds. */
    public boolean segment(TcpSegment segment) {
        Path path = new Path(
                Ends.of(segment.source(), segment.target()), segment.arrival().link());
        Entry entry = paths.get(path);
        if (entry != null && segment.syn() && entry.from(segment.source()).isOther(segment.sequence())) {
            entry.finish();
            remove(path);
            entry = null;
        }
        if (entry == null) {
            entry = onAnotherLink(path.ends(), segment);
            if (entry == null && !segment.syn() && segment.payload().wireLength() == 0) {
                return false; // a late acknowledgment begins nothing
            }
            entry = add(path, entry == null ? met(path.ends(), segment) : entry);
        }
        entry.take(segment);
        return entry.conversation.wanted();
    }

    private @Nullable Entry onAnotherLink(Ends ends, TcpSegment segment) {
        for (Entry entry : alike.getOrDefault(ends, List.of())) {
            if (entry.fits(segment)) {
                return entry;
            }
        }
        return null;
    }

    private Entry met(Ends ends, TcpSegment segment) {
        met++;
        Entry entry = new Entry(segment, factory, budget);
        List<Entry> others = alike.computeIfAbsent(ends, none -> new ArrayList<>(1));
        if (others.size() == MAX_ALIKE) {
            evict(others.removeFirst());
        }
        others.add(entry);
        return entry;
    }

    private Entry add(Path path, Entry entry) {
        if (paths.size() == MAX_CONNECTIONS) {
            Entry gone = remove(paths.keySet().iterator().next());
            if (gone.paths == 0) {
                evict(gone);
            }
        }
        paths.put(path, entry);
        entry.paths++;
        return entry;
    }

    private Entry remove(Path path) {
        Entry gone = Objects.requireNonNull(paths.remove(path));
        gone.paths--;
        List<Entry> others = alike.get(path.ends());
        if (gone.paths == 0 && others != null) {
            others.remove(gone);
            if (others.isEmpty()) {
                alike.remove(path.ends());
            }
        }
        return gone;
    }

    private void evict(Entry entry) {
        if (!entry.finished) {
            evicted++;
            entry.finish();
        }
    }

    /** The capture is over: ends all connections. */
    public void finish() {
        List<Entry> rest = new ArrayList<>(paths.values());
        paths.clear();
        alike.clear();
        rest.forEach(Entry::finish);
    }

    /** Connections met so far. */
    public long met() {
        return met;
    }

    /** Connections that were ended early because there were too many. */
    public long evicted() {
        return evicted;
    }
}
