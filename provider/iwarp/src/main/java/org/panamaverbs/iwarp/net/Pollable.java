package org.panamaverbs.iwarp.net;

/** What a {@link Poller} of the same {@link Sockets} can wait for. */
public interface Pollable {
    /** Tells whether it was not closed yet. */
    boolean isOpen();

    /** Closes the channel and ends its watch. What goes wrong with that is of no use to anybody, and only logged. */
    void close();
}
