package org.panamaverbs.iwarp.engine.progress;

/** A stream that a thread finds among many that it polls. */
interface PolledStream {
    /** Makes progress at {@code now}: it has something. */
    void foundReady(long now);
}
