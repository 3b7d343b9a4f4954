package org.panamaverbs.iwarp.core;

/** What the driver has to do with the socket of a {@link Stream}. */
public enum CloseAction {
    /** Nothing. */
    NONE,
    /** Shut the output down, then say so by {@link Stream#outputShutDown}. */
    SHUTDOWN_OUTPUT,
    /** Close in order, then say so by {@link Stream#closed}. */
    CLOSE,
    /** Reset the connection, then say so by {@link Stream#closed}. */
    ABORT
}
