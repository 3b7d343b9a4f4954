package org.panamaverbs.iwarp.engine.cm;

import java.util.LinkedHashSet;

/**
 * The peers of one listener whose connections linger, oldest first: a peer that does not close costs a descriptor until
 * its time is up. When there are too many, the oldest has had time enough. Belongs to the event loop's thread.
 */
public final class LingeringPeers {
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

    /** Adds a peer that {@code close} ends, if need be in the place of another, which is ended now. */
    void begin(Runnable close) {
        if (closes.size() == limit) {
            closes.getFirst().run();
        }
        closes.add(close);
    }

    /** Forgets the peer that {@code close} ends: it is gone. */
    void end(Runnable close) {
        closes.remove(close);
    }
}
