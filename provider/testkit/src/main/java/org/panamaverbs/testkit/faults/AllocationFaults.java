package org.panamaverbs.testkit.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The places where an instrumented class allocates, and which of them fails. Instrumented code calls {@link #at} before
 * each allocation. Any thread.
 */
public final class AllocationFaults {
    private static final int MAX_PLACES = 1 << 15;
    private static final List<String> NAMES = new ArrayList<>();
    private static final AtomicInteger[] HITS = new AtomicInteger[MAX_PLACES];
    // Made before: what is thrown where nothing can be allocated must not be.
    @SuppressWarnings("StaticAssignmentOfThrowable")
    private static final OutOfMemoryError FAULT = new Injected();

    private static volatile boolean counting;
    private static volatile int armed = -1;
    private static final AtomicInteger before = new AtomicInteger();
    private static final AtomicInteger left = new AtomicInteger();
    private static volatile boolean reached;

    private AllocationFaults() {}

    /** What is thrown: one object for all, as the machine does that has no memory for a stack trace either. */
    private static final class Injected extends OutOfMemoryError {
        private static final long serialVersionUID = 1;

        Injected() {
            super("injected");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** Adds a place and returns its number. */
    static synchronized int place(String name) {
        int number = NAMES.size();
        HITS[number] = new AtomicInteger();
        NAMES.add(name);
        return number;
    }

    /** Returns what {@code place} is: class, method, line and what is allocated. */
    static synchronized String name(int place) {
        return NAMES.get(place);
    }

    /** Returns how many places there are. */
    static synchronized int places() {
        return NAMES.size();
    }

    /** Counts from 0 how often each place is passed. */
    static void count() {
        for (int i = 0; i < places(); i++) {
            HITS[i].set(0);
        }
        counting = true;
    }

    /** Stops counting; {@link #hits} tells the counts. */
    static void stopCounting() {
        counting = false;
    }

    /** Returns how often {@code place} was passed. */
    static int hits(int place) {
        return HITS[place].get();
    }

    /**
     * Has {@code place} fail when it was passed {@code passes} times, and then all places until {@code failures} have
     * failed.
     */
    static void arm(int place, int passes, int failures) {
        before.set(passes);
        left.set(failures);
        reached = false;
        armed = place;
    }

    /** Has nothing fail any more; returns whether something did. */
    static boolean disarm() {
        armed = -1;
        return reached;
    }

    /** Passes {@code place}, which fails if it is its turn. */
    public static void at(int place) {
        if (counting) {
            HITS[place].incrementAndGet();
        }
        int failing = armed;
        if (failing >= 0 && (reached || (place == failing && before.decrementAndGet() < 0))) {
            reached = true;
            if (left.getAndDecrement() > 0) {
                throw FAULT;
            }
            armed = -1;
        }
    }
}
