package org.panamaverbs.cli.decode.tcp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The connections of a capture, told apart by their two ends and by their SYNs where the ends are used again. Holds a
 * limited number; beyond it the one that was quiet for longest is ended.
 */
public final class ConnectionTable {
    /** Connections that are followed at once. */
    public static final int MAX_CONNECTIONS = 16_384;

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

    private static final class Entry {
        final Endpoint opener;
        final Conversation conversation;
        final Reassembler fromOpener;
        final Reassembler fromOther;
        boolean finished;

        Entry(Endpoint opener, Endpoint other, Conversation.Factory factory, Budget budget) {
            this.opener = opener;
            conversation = factory.met(opener, other);
            fromOpener = new Reassembler(conversation.sink(true), budget);
            fromOther = new Reassembler(conversation.sink(false), budget);
        }

        Reassembler from(Endpoint sender) {
            return sender.equals(opener) ? fromOpener : fromOther;
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
    private final Map<Ends, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long met;
    private long evicted;

    /** Makes conversations with {@code factory}; all together hold no more than {@code budget} allows. */
    public ConnectionTable(Conversation.Factory factory, Budget budget) {
        this.factory = factory;
        this.budget = budget;
    }

    /** Takes the next segment of the capture. */
    public void segment(TcpSegment segment) {
        Ends ends = Ends.of(segment.source(), segment.target());
        Entry entry = entries.get(ends);
        if (entry != null && segment.syn() && entry.from(segment.source()).isOther(segment.sequence())) {
            entry.finish();
            entries.remove(ends);
            entry = null;
        }
        if (entry == null) {
            if (!segment.syn() && segment.payload().wireLength() == 0) {
                return; // a late acknowledgment begins nothing
            }
            entry = add(ends, segment);
        }
        entry.take(segment);
    }

    private Entry add(Ends ends, TcpSegment segment) {
        if (entries.size() == MAX_CONNECTIONS) {
            Ends eldest = entries.keySet().iterator().next();
            Entry gone = entries.remove(eldest);
            if (gone != null && !gone.finished) {
                evicted++;
                gone.finish();
            }
        }
        met++;
        boolean answered = segment.syn() && segment.ack();
        Endpoint opener = answered ? segment.target() : segment.source();
        Endpoint other = answered ? segment.source() : segment.target();
        Entry entry = new Entry(opener, other, factory, budget);
        entries.put(ends, entry);
        return entry;
    }

    /** The capture is over: ends all connections. */
    public void finish() {
        List<Entry> rest = new ArrayList<>(entries.values());
        entries.clear();
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
