package org.panamaverbs.sockets.stream;

import org.panamaverbs.api.Event;

/** What the {@link Driver} tells of its events. */
interface EventTarget {
    /** Takes an event, on the driver's thread; waits for nothing. */
    void happened(Event event);
}
