package org.panamaverbs.iwarp.engine.device;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.panamaverbs.api.ResourceException;

/** Counts how many objects of a kind there are, and refuses more than the device has. */
public final class Quota {
    private final String kind;
    private final int limit;
    private final AtomicInteger used = new AtomicInteger();

    /** Creates a quota of {@code limit} objects, {@code kind} in the plural. */
    Quota(String kind, int limit) {
        this.kind = kind;
        this.limit = limit;
    }

    /**
     * Takes a place.
     *
     * @throws ResourceException if there is none left
     */
    public void take() {
        if (used.incrementAndGet() > limit) {
            used.decrementAndGet();
            throw new ResourceException(
                    "create", "device " + Device.NAME + " has " + limit + " " + kind + "; remedy: close some first", 0);
        }
    }

    /**
     * Takes a place and returns what {@code create} makes; gives it back if that throws.
     *
     * @throws ResourceException if there is none left
     */
    public <T> T counted(Supplier<T> create) {
        take();
        boolean made = false;
        try {
            T created = create.get();
            made = true;
            return created;
        } finally {
            if (!made) {
                giveBack();
            }
        }
    }

    /** Gives a place back. */
    public void giveBack() {
        used.decrementAndGet();
    }

    /** Returns how many places are taken. */
    public int used() {
        return used.get();
    }
}
