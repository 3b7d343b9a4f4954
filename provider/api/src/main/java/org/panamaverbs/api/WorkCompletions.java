package org.panamaverbs.api;

import java.util.Objects;
import org.panamaverbs.spi.support.CompletionWriter;

/**
 * A reusable array of {@link WorkCompletion}s for {@link CompletionQueue#poll} to fill. Not thread-safe: use one per
 * polling thread.
 */
public final class WorkCompletions {
    static {
        CompletionWriter.provide(new CompletionHolders());
    }

    // Written by CompletionHolders.
    final WorkCompletion[] entries;
    int count;

    private WorkCompletions(int capacity) {
        entries = new WorkCompletion[capacity];
        for (int i = 0; i < capacity; i++) {
            entries[i] = new WorkCompletion();
        }
    }

    /**
     * Creates an array for up to {@code capacity} completions per poll.
     *
     * @param capacity from 1 to 65,536
     * @throws IllegalArgumentException if {@code capacity} is out of range
     */
    public static WorkCompletions ofCapacity(int capacity) {
        if (capacity < 1 || capacity > 65_536) {
            throw new IllegalArgumentException("capacity must be 1 to 65536, got " + capacity);
        }
        return new WorkCompletions(capacity);
    }

    /** Returns the maximum number of completions per poll. */
    public int capacity() {
        return entries.length;
    }

    /** Returns the number of completions of the last poll. */
    public int count() {
        return count;
    }

    /**
     * Returns completion {@code index} of the last poll; valid until the next poll.
     *
     * @throws IndexOutOfBoundsException if {@code index} is not from 0 to {@link #count()} - 1
     */
    public WorkCompletion get(int index) {
        return entries[Objects.checkIndex(index, count)];
    }
}
