package org.panamaverbs.cli.decode;

import org.panamaverbs.cli.decode.iwarp.Event;

/** Prints what was found, in the order in which it was found. */
interface EventPrinter {
    /**
     * Prints an event.
     *
     * @param firstNanos when the capture's first packet was captured, of those that have a time
     */
    void event(Event event, long firstNanos);

    /** Prints what the whole capture amounts to. */
    void summary(Summary summary);
}
