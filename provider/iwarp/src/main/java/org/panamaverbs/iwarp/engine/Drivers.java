package org.panamaverbs.iwarp.engine;

import java.util.Arrays;

/**
 * The streams that complete to one queue, which its polls drive: in an array that they read without a lock. Adding a
 * stream can fail for lack of memory, removing one cannot: a queue pair is closed also then.
 */
final class Drivers {
    private static final StreamDriver[] NONE = {};
    // What one poll drives, so that its cost does not grow with the number of connections: beyond it the system is
    // asked which of them have something.
    private static final int STREAMS_PER_POLL = 16;

    private final Progress progress;
    // One may be there more than once.
    private volatile StreamDriver[] all = NONE;
    // Whether some of them do not know yet that they are many.
    private volatile boolean more;
    // Whether some were polled one by one since the last time that the event loop was told to watch them all.
    private volatile boolean polledEach;
    // The one to begin with. A race on it only changes which poll does the work.
    private int next;

    /** Creates an empty one; {@code progress} says which of many streams have something. */
    Drivers(Progress progress) {
        this.progress = progress;
    }

    /** Returns the streams; not to be changed. */
    StreamDriver[] all() {
        return all;
    }

    /** Drives the streams, a bounded number a call. */
    void drive() {
        StreamDriver[] known = all;
        if (known.length == 0 || (known.length > STREAMS_PER_POLL && driveReady())) {
            return;
        }
        long now = StreamDriver.UNKNOWN;
        int count = Math.min(known.length, STREAMS_PER_POLL);
        // Once: other threads that poll change it, also for more streams than are known here.
        int from = next;
        int index = from < known.length ? from : 0;
        for (int i = 0; i < count; i++) {
            now = known[index].poll(now);
            index = index + 1 == known.length ? 0 : index + 1;
        }
        next = index;
        // Behind them: who tells the event loop meanwhile has not missed what follows.
        if (!polledEach) {
            polledEach = true;
        }
    }

    /** Drives the streams, too, if it is time to look at one of them although their queue does not run empty. */
    void driveDue() {
        StreamDriver[] known = all;
        if (known.length > STREAMS_PER_POLL) {
            drive();
            return;
        }
        for (StreamDriver driver : known) {
            if (driver.isDue()) {
                drive();
                return;
            }
        }
    }

    private boolean driveReady() {
        if (more) {
            more = false;
            for (StreamDriver driver : all) {
                driver.findWithOthers();
            }
        }
        return progress.ofAll();
    }

    /** Has each stream look whether its queues have failed. */
    void checkQueues() {
        for (StreamDriver driver : all) {
            driver.checkQueues();
        }
    }

    /** Has the event loop watch the input of each stream; of many, those that it leaves to nobody it watches anyway. */
    void watchInput() {
        StreamDriver[] known = all;
        if (known.length > STREAMS_PER_POLL && !polledEach) {
            return;
        }
        polledEach = false;
        for (StreamDriver driver : known) {
            driver.watchInput();
        }
    }

    /** Adds {@code driver} unless it is there. */
    synchronized void add(StreamDriver driver) {
        StreamDriver[] known = all;
        if (indexOf(known, driver) < 0) {
            StreamDriver[] grown = Arrays.copyOf(known, known.length + 1);
            grown[known.length] = driver;
            all = grown;
        }
        more = true;
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
