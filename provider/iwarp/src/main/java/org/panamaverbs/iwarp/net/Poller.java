package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * Waits for many sockets. One thread at a time waits or closes it; any may register and wake it up, change watches and
 * end them.
 */
public interface Poller {
    /** Waits for as long as it takes. */
    long FOREVER = -1;

    /**
     * Begins to watch {@code channel}.
     *
     * @param interest of {@link Watch#READ} and its like
     * @param attachment what the watch keeps for its owner
     * @throws IOException if the channel or the poller is closed, or the system refuses
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

    /** Tells whether new and changed watches and closed channels count only from the next {@link #select} on. */
    boolean isDeferring();

    /** Passes on all watches; who gets them may end them. Nobody waits meanwhile. */
    void forEach(Consumer<Watch> action);

    /** Closes all channels that are watched, and itself. */
    void close();
}
