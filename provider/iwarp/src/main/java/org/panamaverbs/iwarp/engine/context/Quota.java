package org.panamaverbs.iwarp.engine.context;

import java.util.concurrent.atomic.AtomicInteger;
import org.panamaverbs.api.ResourceException;

/** Counts how many objects of a kind there are, and refuses more than the device has. */
public final class Quota {
    private final String kind;
    private final int limit;
    private final AtomicInteger used = new AtomicInteger();

    /** Makes one for {@code limit} objects, {@code kind} in the plural. */
    Quota(String kind, int limit) {
        this.kind = kind;
        this.limit = limit;
    }

    /**
     * Takes one.
     *
     * @throws ResourceException if there is none left
     */
    public void take() {
        if (used.incrementAndGet() > limit) {
            used.decrementAndGet();
            throw new ResourceException(
                    "create", "device " + Device.NAME + " has " + limit + " " + kind + ": close some first", 0);
        }
    }

    /** Gives one back. */
    public void giveBack() {
        used.decrementAndGet();
    }

    /** Returns how many there are. */
    public int used() {
        return used.get();
    }
}
