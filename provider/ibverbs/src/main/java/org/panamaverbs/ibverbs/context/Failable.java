package org.panamaverbs.ibverbs.context;

import org.panamaverbs.api.WcStatus;
import org.panamaverbs.memory.ManagedResource;

/** A queue pair, for what hears of its failure first or fails with it. */
public interface Failable {
    /** Tells whether its sends or its receives complete in {@code queue}. */
    boolean completesIn(ManagedResource queue);

    /** Takes note of a completion with an error, or of an event that says the same. */
    void sawError();

    /** Takes note that a request of it failed by itself with {@code status}, not because of another one. */
    void requestFailed(WcStatus status, int vendorError);

    /**
     * Moves the queue pair to ERROR, which flushes; does nothing if it is closed or there already. {@code cause} says
     * why and what to do, for who watches it.
     */
    void fail(String cause);
}
