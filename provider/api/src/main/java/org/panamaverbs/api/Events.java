package org.panamaverbs.api;

import java.util.Objects;

/** A reusable list of {@link Event} holders, filled by {@link EventQueue#poll} and {@link EventQueue#await}. */
public final class Events {
    private final Event[] entries;
    private int count;

    private Events(int capacity) {
        entries = new Event[capacity];
        for (int i = 0; i < capacity; i++) {
            entries[i] = new Event();
        }
    }

    /**
     * Creates a list for up to {@code capacity} events a call.
     *
     * @throws IllegalArgumentException if {@code capacity} is not between 1 and 65,536
     */
    public static Events ofCapacity(int capacity) {
        if (capacity < 1 || capacity > 65_536) {
            throw new IllegalArgumentException("capacity must be 1 to 65536, got " + capacity);
        }
        return new Events(capacity);
    }

    /** Returns how many events one call can bring. */
    public int capacity() {
        return entries.length;
    }

    /** Returns how many events the last call brought. */
    public int count() {
        return count;
    }

    /**
     * Returns event {@code index} of the last call; valid until the next.
     *
     * @throws IndexOutOfBoundsException if {@code index} is not below {@link #count()}
     */
    public Event get(int index) {
        return entries[Objects.checkIndex(index, count)];
    }

    /** For event queues: the holder to fill for event {@code index}, below {@link #capacity()}. */
    public Event slot(int index) {
        return entries[index];
    }

    /** For event queues: says how many holders were filled; the others let go of what they held. */
    public void filled(int newCount) {
        for (int i = newCount; i < count; i++) {
            entries[i].clear();
        }
        count = newCount;
    }
}
