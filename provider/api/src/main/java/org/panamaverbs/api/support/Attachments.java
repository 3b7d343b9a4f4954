package org.panamaverbs.api.support;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What queue pairs were given, by their numbers: an open hash table, in which a poll finds it without a lock and
 * without allocating ({@link org.panamaverbs.api.WorkCompletion#setAttachment}). Numbers are reused: who had one before
 * does not remove the one who has it now.
 *
 * <p>Any thread may look up; changes exclude each other.
 */
public final class Attachments {
    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(Entry[].class);
    private static final int SMALLEST = 16;
    // Fibonacci hashing: device numbers count up, with low bits that some devices keep for themselves.
    private static final int GOLDEN = 0x9E3779B9;

    /** Whose completions give back what: the right to {@link #remove}. */
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

    /** Tells whether no queue pair was given anything: then none needs to be looked up. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** Returns what queue pair {@code number} was given, null for nothing. */
    public @Nullable Object of(int number) {
        Entry entry = entry(table, number);
        return entry == null ? null : entry.attachment;
    }

    /** Has {@code attachment} found for queue pair {@code number} from now on, in the place of what was. */
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

    /** Has nothing found for queue pair {@code number} from now on; returns false if there was nothing. */
    public synchronized boolean removeNumber(int number) {
        Entry entry = entry(table, number);
        return entry != null && remove(entry);
    }

    /** Tells whether {@code entry} is what is found for its number. */
    public boolean has(Entry entry) {
        return entry.attachment != null;
    }

    /** Takes a {@link #put} back; returns false if another queue pair has the number by now, or it was done before. */
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
