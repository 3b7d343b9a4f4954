package org.panamaverbs.ibverbs.completion;

import java.util.function.BooleanSupplier;
import java.util.function.LongToIntFunction;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.ibverbs.completion.Markers.Marker;

/**
 * How a thread learns that what was posted before has completed: by a marker, which it posts and awaits, or by the last
 * completion. Any thread.
 */
public final class MarkerWait {
    private MarkerWait() {}

    /**
     * Waits until {@code done}, which completions of {@code queue} make true, taking them off and keeping them for the
     * application where it does not poll.
     *
     * @param over says whether the queue pair has failed: then {@code done} may never be
     */
    public static Drained await(
            IbvCompletionQueue queue, BooleanSupplier done, BooleanSupplier over, Deadline deadline) {
        while (true) {
            // Asked first: what had succeeded by then is in the queue.
            boolean failed = over.getAsBoolean();
            boolean late = deadline.passed();
            queue.takeToStash(null);
            if (done.getAsBoolean()) {
                return Drained.DONE;
            }
            if (failed || late) {
                return failed ? Drained.FAILED : Drained.LATE;
            }
            if (Thread.currentThread().isInterrupted()) {
                return Drained.INTERRUPTED;
            }
            Thread.onSpinWait();
            CompletionWait.pause();
        }
    }

    /**
     * Posts a marker by {@code post}, which gets its id and answers with a {@link PostStatus}, and waits until it
     * completes, taking completions off and keeping them for the application where it does not poll. Others that wait
     * here are not waited for, unless the application can have as many completions outstanding as the queue holds: then
     * one marker at a time has the last entry, and each of the others waits for it until its own deadline.
     *
     * @param queue where it completes
     * @param owner the queue pair, by its native address
     * @param over says whether the queue pair has failed: then the marker need not complete any more
     */
    public static Drained await(
            IbvCompletionQueue queue, long owner, LongToIntFunction post, BooleanSupplier over, Deadline deadline) {
        Marker marker = null;
        boolean posted = false;
        try {
            int status = PostStatus.QUEUE_FULL;
            boolean last = false;
            while (status == PostStatus.QUEUE_FULL && !over.getAsBoolean() && !last) {
                if (Thread.currentThread().isInterrupted()) {
                    return Drained.INTERRUPTED;
                }
                last = deadline.passed();
                // What is left here of queue pairs that are closed counts for none of those that are attached. And
                // some drivers free a send queue's places only when its completions are polled.
                queue.takeToStash(null);
                marker = marker == null ? queue.takeMarker(owner) : marker;
                status = marker == null ? PostStatus.QUEUE_FULL : post.applyAsInt(marker.id());
                CompletionWait.pause();
            }
            posted = status == PostStatus.ACCEPTED;
            if (marker == null || !posted) {
                return status != PostStatus.QUEUE_FULL || over.getAsBoolean() ? Drained.FAILED : Drained.LATE;
            }
        } finally {
            if (marker != null && !posted) {
                queue.markers().back(marker);
            }
        }
        while (!marker.isDone() && !over.getAsBoolean() && !deadline.passed()) {
            queue.takeToStash(marker);
            if (Thread.currentThread().isInterrupted() && !marker.isDone()) {
                return Drained.INTERRUPTED;
            }
            Thread.onSpinWait();
            CompletionWait.pause();
        }
        return marker.outcome(over.getAsBoolean());
    }
}
