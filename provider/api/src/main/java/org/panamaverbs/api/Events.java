package org.panamaverbs.api;

import java.util.Objects;
import org.panamaverbs.spi.support.EventWriter;

/** A reusable list of {@link Event} holders, filled by {@link EventQueue#poll} and {@link EventQueue#await}. */
public final class Events {
    static {
        EventWriter.provide(new EventHolders());
    }

    // Written by EventHolders.
    final Event[] entries;
    int count;

    private Events(int capacity) {
        entries = new Event[capacity];
        for (int i = 0; i < capacity; i++) {
            entries[i] = new Event();
        }
    }

    /**
     * Creates a list for up to {@code capacity} events per call.
     *
     * @param capacity from 1 to 65,536
     * @throws IllegalArgumentException if {@code capacity} is out of range
     */
    public static Events ofCapacity(int capacity) {
        if (capacity < 1 || capacity > 65_536) {
            throw new IllegalArgumentException("capacity must be 1 to 65536, got " + capacity);
        }
        return new Events(capacity);
    }

    /** Returns the maximum number of events per call. */
    public int capacity() {
        return entries.length;
    }

    /** Returns the number of events of the last call. */
    public int count() {
        return count;
    }

    /**
     * Returns event {@code index} of the last call; valid until the next call.
     *
     * @throws IndexOutOfBoundsException if {@code index} is not from 0 to {@link #count()} - 1
     */
    public Event get(int index) {
        return entries[Objects.checkIndex(index, count)];
    }
}
