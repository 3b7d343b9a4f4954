package org.panamaverbs.iwarp.engine;

import java.util.LinkedHashSet;

/**
 * The peers of one listener that are on their way out, oldest first: who does not leave costs a descriptor until its
 * time is up. When there are too many, the oldest has had time enough. Belongs to the event loop's thread.
 */
final class Partings {
    private final int limit;
    private final long nanos;
    private final LinkedHashSet<LastWords> leaving = new LinkedHashSet<>();

    /** Makes one for {@code limit} peers, from 1, each of which has {@code nanos}. */
    Partings(int limit, long nanos) {
        this.limit = limit;
        this.nanos = nanos;
    }

    /** Returns how long a peer has to leave. */
    long nanos() {
        return nanos;
    }

    /** Adds {@code peer}, if need be in the place of another. */
    void begin(LastWords peer) {
        if (leaving.size() == limit) {
            leaving.getFirst().close();
        }
        leaving.add(peer);
    }

    /** Hears that {@code peer} is gone. */
    void end(LastWords peer) {
        leaving.remove(peer);
    }
}
