package org.panamaverbs.iwarp.engine.objects;

import java.util.Arrays;
import org.panamaverbs.iwarp.engine.progress.StreamDriver;

/**
 * The streams that complete to one queue, in an array that polls read without a lock. Adding one can fail for lack of
 * memory, removing one cannot: a queue pair is closed also then.
 */
final class Drivers {
    private static final StreamDriver[] NONE = {};

    private volatile StreamDriver[] all = NONE;

    /** Returns the drivers; one may be there more than once. */
    StreamDriver[] all() {
        return all;
    }

    /** Adds {@code driver} unless it is there. */
    synchronized void add(StreamDriver driver) {
        StreamDriver[] known = all;
        if (indexOf(known, driver) < 0) {
            StreamDriver[] more = Arrays.copyOf(known, known.length + 1);
            more[known.length] = driver;
            all = more;
        }
    }

    /** Removes {@code driver} if it is there. */
    synchronized void remove(StreamDriver driver) {
        for (int index = indexOf(all, driver); index >= 0; index = indexOf(all, driver)) {
            remove(index);
        }
    }

    private void remove(int index) {
        StreamDriver[] known = all;
        int last = known.length - 1;
        if (last == 0) {
            all = NONE;
            return;
        }
        StreamDriver other = known[index == last ? 0 : last];
        try {
            StreamDriver[] fewer = Arrays.copyOf(known, last);
            if (index < last) {
                fewer[index] = other;
            }
            all = fewer;
        } catch (OutOfMemoryError e) {
            fill(known, known[index], other);
        }
    }

    // Another takes its place, and is driven twice as often as the rest.
    private void fill(StreamDriver[] known, StreamDriver driver, StreamDriver other) {
        StreamDriver substitute = other == driver ? differentFrom(known, driver) : other;
        for (int i = 0; i < known.length; i++) {
            if (known[i] == driver) {
                known[i] = substitute;
            }
        }
        all = substitute == driver ? NONE : known;
    }

    private static StreamDriver differentFrom(StreamDriver[] known, StreamDriver driver) {
        for (StreamDriver other : known) {
            if (other != driver) {
                return other;
            }
        }
        return driver;
    }

    private static int indexOf(StreamDriver[] known, StreamDriver driver) {
        for (int i = 0; i < known.length; i++) {
            if (known[i] == driver) {
                return i;
            }
        }
        return -1;
    }
}
