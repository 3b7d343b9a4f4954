package org.panamaverbs.ibverbs.completion;

import java.util.Arrays;

/**
 * The numbers of the UD queue pairs that receive into one completion queue: completions do not say of what type their
 * queue pair is. Asked for each receive, so asking allocates nothing, and costs a read where there are none. A number
 * counts as often as it was added: a new queue pair may have the number of one that is about to be forgotten.
 *
 * <p>May be used by any thread.
 */
public final class DatagramNumbers {
    // Sorted; replaced, never written to.
    private volatile int[] numbers = {};

    /** Tells whether {@code number} is one. */
    boolean contains(int number) {
        int[] known = numbers;
        return known.length != 0 && Arrays.binarySearch(known, number) >= 0;
    }

    public synchronized void add(int number) {
        int[] more = Arrays.copyOf(numbers, numbers.length + 1);
        more[numbers.length] = number;
        Arrays.sort(more);
        numbers = more;
    }

    /** Takes an {@link #add} back, if there was one. */
    public synchronized void remove(int number) {
        int[] known = numbers;
        int at = Arrays.binarySearch(known, number);
        if (at >= 0) {
            int[] fewer = Arrays.copyOf(known, known.length - 1);
            System.arraycopy(known, at + 1, fewer, at, fewer.length - at);
            numbers = fewer;
        }
    }
}
