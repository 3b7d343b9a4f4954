package org.panamaverbs.iwarp.core;

import org.panamaverbs.api.device.Counter;
import org.panamaverbs.api.device.QueuePairStatistics;

/**
 * What a stream has counted. It reads what the data path keeps anyway, the numbers of the oldest and the newest
 * request, without the stream's lock: each is a plain long that one thread at a time writes, and may be of a moment
 * ago.
 */
public final class StreamCounts {
    private final StreamParts parts;

    StreamCounts(StreamParts parts) {
        this.parts = parts;
    }

    /**
     * Returns how many requests this side has carried out on the peer's memory, in a clause behind what is said of the
     * connection; empty if it reaches none. Any thread.
     */
    public String directText() {
        return parts.direct.isReaching() ? ", direct access (" + parts.direct.count() + " requests)" : "";
    }

    /** Sets the counters of requests and of outstanding Reads in {@code statistics}. Any thread. */
    public void fill(QueuePairStatistics.Builder statistics) {
        ReceiveRing own = parts.ownReceives; // null if they are shared
        // Sends: the done are read before the posted, which are never fewer then.
        statistics
                .set(Counter.SENDS_COMPLETED, parts.sends.head())
                .set(Counter.SENDS_POSTED, parts.sends.published())
                .set(Counter.SENDS_FLUSHED, parts.completions.flushedSends())
                .set(Counter.SEND_CAPACITY, parts.sends.capacity())
                .set(Counter.SENDS_DIRECT, parts.direct.count())
                .set(Counter.RECEIVES_POSTED, own == null ? QueuePairStatistics.UNKNOWN : own.posted())
                .set(Counter.RECEIVES_COMPLETED, parts.completions.receivesDone())
                .set(Counter.RECEIVES_FLUSHED, parts.completions.flushedReceives())
                .set(Counter.RECEIVE_CAPACITY, own == null ? 0 : own.capacity())
                .set(Counter.READS_OUTSTANDING, parts.outstanding.count())
                .set(Counter.READ_LIMIT, parts.outstanding.limit());
    }
}
