package org.panamaverbs.iwarp.engine.cm;

import java.util.LinkedHashSet;
import org.panamaverbs.spi.support.DeferredLog;

/**
 * The peers of one listener whose connections linger, oldest first: a peer that does not close costs a descriptor until
 * its time is up. When there are too many, the oldest has had time enough. Belongs to the event loop's thread.
 */
final class LingeringPeers {
    private final int limit;
    private final long nanos;
    private final LinkedHashSet<Runnable> closes = new LinkedHashSet<>();

    /** Creates places for {@code limit} peers, from 1, each of which has {@code nanos}. */
    public LingeringPeers(int limit, long nanos) {
        this.limit = limit;
        this.nanos = nanos;
    }

    /** Returns how long a peer has to close. */
    long nanos() {
        return nanos;
    }

    /**
     * Adds a peer that {@code close} ends, if need be in the place of another, which is ended now; one that cannot be
     * ended tries again by itself.
     */
    void begin(Runnable close) {
        Runnable oldest = closes.size() == limit ? closes.removeFirst() : null;
        closes.add(close);
        if (oldest != null) {
            try {
                oldest.run();
            } catch (Throwable e) {
                // It must not end the peer that has come.
                DeferredLog.log(
                        LingeringPeers.class,
                        System.Logger.Level.WARNING,
                        "a lingering connection cannot be closed now; closing is retried",
                        e);
            }
        }
    }

    /** Forgets the peer that {@code close} ends: it is gone. */
    void end(Runnable close) {
        closes.remove(close);
    }
}
