package org.panamaverbs.spi.support;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Attachments of queue pairs by number: an open hash table that a poll reads without a lock and without allocating
 * ({@link org.panamaverbs.api.WorkCompletion#attachment}). Numbers are reused: the former owner of a number does not
 * remove the entry of the current one.
 *
 * <p>Any thread may look up; changes exclude each other.
 */
public final class Attachments {
    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(Entry[].class);
    private static final int SMALLEST = 16;
    // Fibonacci hashing: device numbers count up, with low bits that some devices keep for themselves.
    private static final int GOLDEN = 0x9E3779B9;

    /** An entry of the table, needed to {@link #remove} it. */
    public static final class Entry {
        private final int number;
        // Null once it was removed: its place is taken until another with its number, or a larger table, comes.
        private volatile @Nullable Object attachment;

        private Entry(int number, Object attachment) {
            this.number = number;
            this.attachment = attachment;
        }
    }

    // Each has places that are free, or a look-up would not end.
    private volatile @Nullable Entry[] table = new Entry[SMALLEST];
    private volatile int count; // of those that were not removed
    private int occupied; // guarded by this

    /** Creates an empty table. */
    public Attachments() {}

    /** Returns whether no queue pair has an attachment. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** Returns the attachment of queue pair {@code number}, null if it has none. */
    public @Nullable Object of(int number) {
        Entry entry = entry(table, number);
        return entry == null ? null : entry.attachment;
    }

    /** Sets the attachment of queue pair {@code number}, replacing any other. */
    public synchronized Entry put(int number, Object attachment) {
        Entry entry = new Entry(number, attachment);
        if (2 * (occupied + 1) > table.length) {
            rehash();
        }
        removeNumber(number);
        if (place(table, entry)) {
            occupied++;
        }
        count++;
        return entry;
    }

    /** Removes the attachment of queue pair {@code number}; returns false if it had none. */
    public synchronized boolean removeNumber(int number) {
        Entry entry = entry(table, number);
        return entry != null && remove(entry);
    }

    /** Returns whether {@code entry} is in the table. */
    public boolean has(Entry entry) {
        return entry.attachment != null;
    }

    /** Removes {@code entry}; returns false if another queue pair has its number, or it was removed before. */
    public synchronized boolean remove(Entry entry) {
        boolean had = entry.attachment != null;
        if (had) {
            entry.attachment = null;
            count--;
        }
        return had;
    }

    private void rehash() {
        @Nullable Entry[] larger = new Entry[Math.max(SMALLEST, Integer.highestOneBit(count + 1) * 8)];
        int kept = 0;
        for (Entry entry : table) {
            if (entry != null && entry.attachment != null) {
                place(larger, entry);
                kept++;
            }
        }
        table = larger;
        occupied = kept;
    }

    /** Puts {@code entry} where its number belongs; returns false if that was taken by the number before. */
    private static boolean place(@Nullable Entry[] table, Entry entry) {
        int at = start(table, entry.number);
        while (true) {
            Entry other = table[at];
            if (other == null || other.number == entry.number) {
                ENTRY.setRelease(table, at, entry);
                return other == null;
            }
            at = at + 1 & table.length - 1;
        }
    }

    private static @Nullable Entry entry(@Nullable Entry[] table, int number) {
        int at = start(table, number);
        while (true) {
            Entry entry = (Entry) ENTRY.getAcquire(table, at);
            if (entry == null || entry.number == number) {
                return entry;
            }
            at = at + 1 & table.length - 1;
        }
    }

    private static int start(@Nullable Entry[] table, int number) {
        return (number * GOLDEN) >>> Integer.numberOfLeadingZeros(table.length - 1);
    }
}
