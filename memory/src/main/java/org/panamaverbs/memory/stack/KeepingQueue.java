package org.panamaverbs.memory.stack;

import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue that keeps what it holds where memory or stack ends: a call that throws has added nothing and taken nothing.
 * The JDK's {@link java.util.ArrayDeque} stores an element before it grows; where it cannot, it counts as empty.
 * Nothing here needs memory but an {@link #add} to a queue that is full. For one thread at a time.
 *
 * @param <E> what it holds, compared by {@link Object#equals}
 */
public final class KeepingQueue<E> {
    // A power of two, as each size that follows.
    private static final int FEW = 16;

    private final IntFunction<@Nullable Object[]> memory;
    private @Nullable Object[] ring;
    private int first;
    private int count;

    /** Creates an empty queue. */
    public KeepingQueue() {
        this(Object[]::new);
    }

    /** Creates an empty queue that grows by what {@code memory} makes. */
    KeepingQueue(IntFunction<@Nullable Object[]> memory) {
        this.memory = memory;
        ring = memory.apply(FEW);
    }

    /** Returns how many elements there are. */
    public int size() {
        return count;
    }

    /** Tells whether there is none. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** Adds {@code element} as the youngest. */
    public void add(E element) {
        if (count == ring.length) {
            grow();
        }
        ring[(first + count) & (ring.length - 1)] = element;
        count++;
    }

    private void grow() {
        @Nullable Object[] larger = memory.apply(2 * count);
        for (int i = 0; i < count; i++) {
            larger[i] = ring[(first + i) & (ring.length - 1)];
        }
        // From here on by stores.
        ring = larger;
        first = 0;
    }

    /** Returns the oldest element, null if there is none. */
    @SuppressWarnings("unchecked") // add has let in no other
    public @Nullable E peek() {
        return (E) ring[first];
    }

    /** Takes the oldest element, null if there is none. */
    @SuppressWarnings("unchecked")
    public @Nullable E poll() {
        E oldest = (E) ring[first];
        if (oldest != null) {
            ring[first] = null;
            first = (first + 1) & (ring.length - 1);
            count--;
        }
        return oldest;
    }

    /** Takes the youngest element, null if there is none. */
    @SuppressWarnings("unchecked")
    public @Nullable E pollLast() {
        int last = (first + count - 1) & (ring.length - 1);
        E youngest = (E) ring[last];
        if (youngest != null) {
            ring[last] = null;
            count--;
        }
        return youngest;
    }

    /** Tells whether {@code element} is there. */
    public boolean contains(E element) {
        return find(element) < count;
    }

    /** Removes the oldest element that equals {@code element}, if there is one. */
    public void remove(E element) {
        int mask = ring.length - 1;
        int found = find(element);
        if (found < count) {
            // By stores: what is behind it moves up.
            for (int i = found; i < count - 1; i++) {
                ring[(first + i) & mask] = ring[(first + i + 1) & mask];
            }
            count--;
            ring[(first + count) & mask] = null;
        }
    }

    private int find(E element) {
        int found = 0;
        while (found < count && !element.equals(ring[(first + found) & (ring.length - 1)])) {
            found++;
        }
        return found;
    }

    /** Removes the elements that {@code which} is true of; those it has judged, should it throw. */
    @SuppressWarnings("unchecked")
    public void removeIf(Predicate<? super E> which) {
        int mask = ring.length - 1;
        try {
            for (int i = 0; i < count; i++) {
                E element = (E) ring[(first + i) & mask];
                if (element != null && which.test(element)) {
                    ring[(first + i) & mask] = null;
                }
            }
        } finally {
            // By stores, so that what is left moves up whatever failed.
            int left = 0;
            for (int i = 0; i < count; i++) {
                Object element = ring[(first + i) & mask];
                ring[(first + i) & mask] = null;
                if (element != null) {
                    ring[(first + left) & mask] = element;
                    left++;
                }
            }
            count = left;
        }
    }
}
