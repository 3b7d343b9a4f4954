package org.panamaverbs.api;

import java.util.Objects;

/**
 * The array that {@link CompletionQueue#poll} fills: made once, reused for every poll. Not thread-safe: one per polling
 * thread.
 */
public final class WorkCompletions {
    private final WorkCompletion[] entries;
    private int count;

    private WorkCompletions(int capacity) {
        entries = new WorkCompletion[capacity];
        for (int i = 0; i < capacity; i++) {
            entries[i] = new WorkCompletion();
        }
    }

    /**
     * Creates a list for up to {@code capacity} completions a poll.
     *
     * @throws IllegalArgumentException if {@code capacity} is not between 1 and 65,536
     */
    public static WorkCompletions ofCapacity(int capacity) {
        if (capacity < 1 || capacity > 65_536) {
            throw new IllegalArgumentException("capacity must be 1 to 65536, got " + capacity);
        }
        return new WorkCompletions(capacity);
    }

    /** Returns how many completions one poll can bring. */
    public int capacity() {
        return entries.length;
    }

    /** Returns how many completions the last poll brought. */
    public int count() {
        return count;
    }

    /**
     * Returns completion {@code index} of the last poll; valid until the next.
     *
     * @throws IndexOutOfBoundsException if {@code index} is not below {@link #count()}
     */
    public WorkCompletion get(int index) {
        return entries[Objects.checkIndex(index, count)];
    }

    /** For providers: the holder to fill for completion {@code index}, below {@link #capacity()}. */
    public WorkCompletion slot(int index) {
        return entries[index];
    }

    /** For providers: says how many holders were filled. */
    public void filled(int newCount) {
        count = newCount;
    }
}
