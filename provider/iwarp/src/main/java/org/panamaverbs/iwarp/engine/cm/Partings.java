package org.panamaverbs.iwarp.engine.cm;

import java.util.LinkedHashSet;

/**
 * The peers of one listener that are on their way out, oldest first: who does not leave costs a descriptor until its
 * time is up. When there are too many, the oldest has had time enough. Belongs to the event loop's thread.
 */
public final class Partings {
    private final int limit;
    private final long nanos;
    private final LinkedHashSet<Runnable> leaving = new LinkedHashSet<>();

    /** Creates places for {@code limit} peers, from 1, each of which has {@code nanos}. */
    public Partings(int limit, long nanos) {
        this.limit = limit;
        this.nanos = nanos;
    }

    /** Returns how long a peer has to leave. */
    long nanos() {
        return nanos;
    }

    /** Adds a peer that {@code close} ends, if need be in the place of another, which is ended now. */
    void begin(Runnable close) {
        if (leaving.size() == limit) {
            leaving.getFirst().run();
        }
        leaving.add(close);
    }

    /** Hears that the peer of {@code close} is gone. */
    void end(Runnable close) {
        leaving.remove(close);
    }
}
