package org.panamaverbs.ibverbs.completion;

import org.jspecify.annotations.Nullable;

/**
 * Whose completions come to one queue, found by the number of the queue pair: a multiplication and a look, and nothing
 * is allocated. Queue pairs come and go on any thread; completions are counted under the queue's gate.
 */
public final class CompletionCounts {
    private static final int HASH = 0x9E3779B9; // 2^32 divided by the golden ratio

    /** One queue pair: what counts it, and whether its sends complete here, or its receives alone. */
    private record Counted(int number, WorkCounts counts, boolean sending) {}

    // In the place of one that left, so that those behind it are found. No queue pair has that number: it has 24 bits,
    // and on iWARP it counts from 1.
    private static final Counted GONE = new Counted(-1, new WorkCounts(1, true, false), false);

    // A power of two of places, at most half of them taken; replaced by who comes.
    private volatile @Nullable Counted[] places = new @Nullable Counted[2];

    CompletionCounts() {}

    /** Counts the first {@code count} entries of {@code polled} but for markers; it cannot fail in the middle. */
    void done(WcArray polled, int count) {
        long end = polled.address(count);
        for (long at = polled.address(0); at != end; at += WcArray.BYTES) {
            if (!Markers.looksLikeOne(WcArray.wrIdAt(at))) {
                done(at);
            }
        }
    }

    /** Counts the completion at {@code at}, an entry of a {@link WcArray}. */
    void done(long at) {
        Counted its = find(places, WcArray.qpNumberAt(at));
        if (its != null) {
            its.counts.done(at, its.sending);
        }
    }

    private static @Nullable Counted find(@Nullable Counted[] places, int number) {
        int last = places.length - 1;
        int at = place(number, last);
        Counted there = places[at];
        while (there != null && there.number != number) {
            at = at + 1 & last;
            there = places[at];
        }
        return there;
    }

    private static int place(int number, int last) {
        return (number * HASH) >>> Integer.numberOfLeadingZeros(last) & last;
    }

    /** Has completions of queue pair {@code number} counted there, whoever had the number before. */
    public synchronized void attach(int number, WorkCounts counts, boolean sending) {
        @Nullable Counted[] before = places;
        int count = 1;
        for (Counted each : before) {
            count += isOther(each, number) ? 1 : 0;
        }
        @Nullable Counted[] after = new @Nullable Counted[Integer.highestOneBit(count) << 2];
        for (Counted each : before) {
            if (each != null && isOther(each, number)) {
                put(after, each);
            }
        }
        put(after, new Counted(number, counts, sending));
        places = after;
    }

    private static boolean isOther(@Nullable Counted counted, int number) {
        return counted != null && counted.number != GONE.number && counted.number != number;
    }

    /** Takes {@link #attach} back, which needs no memory. */
    public synchronized void detach(WorkCounts counts) {
        @Nullable Counted[] known = places;
        for (int i = 0; i < known.length; i++) {
            Counted each = known[i];
            if (each != null && each.counts == counts) {
                known[i] = GONE;
            }
        }
    }

    private static void put(@Nullable Counted[] places, Counted counted) {
        int at = place(counted.number, places.length - 1);
        while (places[at] != null) {
            at = at + 1 & places.length - 1;
        }
        places[at] = counted;
    }
}
