package org.panamaverbs.iwarp.core.stream;

import org.panamaverbs.api.statistics.QueuePairStatistics;
import org.panamaverbs.iwarp.core.work.ReceiveRing;

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

    /** Sets requests and outstanding Reads of {@code statistics}. Any thread. */
    public void fill(QueuePairStatistics.Builder statistics) {
        long sent = parts.sends.head();
        statistics.sends(parts.sends.published(), sent, parts.completions.flushedSends(), parts.sends.capacity());
        ReceiveRing own = parts.ownReceives; // null if they are shared
        statistics.receives(
                own == null ? QueuePairStatistics.UNKNOWN : own.posted(),
                parts.completions.receivesDone(),
                parts.completions.flushedReceives(),
                own == null ? 0 : own.capacity());
        statistics.direct(parts.direct.count());
        statistics.readsOutstanding(parts.outstanding.count(), parts.outstanding.limit());
    }
}
