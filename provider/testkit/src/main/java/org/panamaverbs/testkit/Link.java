package org.panamaverbs.testkit;

import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.cm.Connection;

/**
 * Both ends of one connection.
 *
 * @param a the end that connected
 * @param b the end that accepted
 */
public record Link(Connection a, Connection b) {
    /** Returns A's queue pair. */
    public QueuePair qpA() {
        return a.queuePair();
    }

    /** Returns B's queue pair. */
    public QueuePair qpB() {
        return b.queuePair();
    }
}
