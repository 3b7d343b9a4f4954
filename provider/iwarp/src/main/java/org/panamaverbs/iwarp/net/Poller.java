package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.util.function.Consumer;

/** Waits for many sockets. One thread waits and registers; watches may be changed and ended by any. */
public interface Poller {
    /** Waits for as long as it takes. */
    long FOREVER = -1;

    /**
     * Begins to watch {@code channel}.
     *
     * @param interest of {@link Watch#READ} and its like
     * @param attachment what the watch keeps for its owner
     */
    Watch register(Pollable channel, int interest, Object attachment) throws IOException;

    /**
     * Waits until a watched channel is ready, {@link #wakeup} is called or the time is over, and passes on who is
     * ready.
     *
     * @param millis {@link #FOREVER}, or 0 to look only
     */
    void select(Consumer<Watch> ready, long millis) throws IOException;

    /** Ends the wait under way, or the next one. */
    void wakeup();

    /** Tells whether changed watches and closed channels count only from the next {@link #select} on. */
    boolean isDeferring();

    /** Closes all channels that are watched, and itself. */
    void close();
}
