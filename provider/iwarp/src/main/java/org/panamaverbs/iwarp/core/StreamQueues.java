package org.panamaverbs.iwarp.core;

import org.jspecify.annotations.Nullable;

/**
 * The queues that a stream works with.
 *
 * @param sends where sends complete
 * @param receives where receives complete
 * @param source where receives come from
 * @param own the same if it is the queue pair's own, to be posted to and flushed; null with a shared receive queue
 */
public record StreamQueues(
        CompletionSink sends,
        CompletionSink receives,
        ReceiveSource source,
        @Nullable ReceiveRing own) {
    /** Returns the queues of a stream with a receive queue of its own. */
    public static StreamQueues withOwn(CompletionSink sends, CompletionSink receives, ReceiveRing own) {
        return new StreamQueues(sends, receives, own, own);
    }

    /** Returns the queues of a stream whose receives come from a shared receive queue. */
    public static StreamQueues withSrq(CompletionSink sends, CompletionSink receives, ReceiveSource shared) {
        return new StreamQueues(sends, receives, shared, null);
    }
}
