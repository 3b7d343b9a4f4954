package org.panamaverbs.ibverbs.completion;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.spi.support.Attachments;

/**
 * Whose completions come to one queue, found by the number of the queue pair; nothing is allocated. Queue pairs come
 * and go on any thread; completions are counted under the queue's gate.
 */
public final class CompletionCounts {
    /** One queue pair: what counts it, and whether its sends complete here, or its receives alone. */
    private record Counted(WorkCounts counts, boolean sending) {}

    private final Attachments known = new Attachments();

    CompletionCounts() {}

    /** Counts, but for markers, what {@code poll} has filled of {@code polled} and nobody has counted yet. */
    void done(WcArray polled, EntryPoll poll) {
        while (poll.counted < poll.filled) {
            done(polled, poll, poll.counted);
        }
    }

    /** Counts entry {@code index} of those that {@code poll} has filled, unless it was counted or is a marker. */
    void done(WcArray polled, EntryPoll poll, int index) {
        if (index < poll.counted) {
            return;
        }
        long at = polled.address(index);
        Counted its = Markers.looksLikeOne(WcArray.wrIdAt(at)) ? null : of(WcArray.qpNumberAt(at));
        if (its != null) {
            its.counts.done(at, its.sending);
        }
        poll.counted = index + 1;
    }

    private @Nullable Counted of(int number) {
        return (Counted) known.of(number);
    }

    /** Has completions of queue pair {@code number} counted there, whoever had the number before. */
    public synchronized void attach(int number, WorkCounts counts, boolean sending) {
        known.put(number, new Counted(counts, sending));
    }

    /** Takes {@link #attach} back, unless another queue pair has the number by now; needs no memory. */
    public synchronized void detach(int number, WorkCounts counts) {
        Counted its = of(number);
        if (its != null && its.counts == counts) {
            known.removeNumber(number);
        }
    }
}
