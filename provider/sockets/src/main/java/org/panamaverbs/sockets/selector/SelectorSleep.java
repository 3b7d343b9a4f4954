package org.panamaverbs.sockets.selector;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.sockets.stream.Driver;

/**
 * How a selector sleeps, and who wakes it: in the JDK's, which has the keys of the JDK's channels, or in place of the
 * driver of our channels. It sleeps between {@link ReadyStack#fallAsleep} and {@link ReadyStack#awake}.
 */
final class SelectorSleep {
    /** The JDK's. */
    private final Selector inner;

    private final ReadyStack<RdmaKey> stack = new ReadyStack<>(this::rouse);
    private final BooleanSupplier roused = this::isRoused;

    /** Somebody called {@link #wakeup} since the last selection. */
    private final AtomicBoolean woken = new AtomicBoolean();

    /** What tells of our channels; of the thread that selects. */
    private @Nullable Driver driver;

    /** In whose place this sleeps, null if it does so in the JDK's selector. */
    private volatile @Nullable Driver driven;

    SelectorSleep(Selector inner) {
        this.inner = inner;
    }

    /** Returns the keys that may be ready; one that is pushed ends the sleep. */
    ReadyStack<RdmaKey> stack() {
        return stack;
    }

    /** Notes that {@code its}, if not null, tells when a channel may be ready. */
    void follow(@Nullable Driver its) {
        if (its != null) {
            driver = its;
        }
    }

    boolean isWoken() {
        return woken.get();
    }

    /** A selection has ended by the wakeup, if there was one. */
    void forgetWakeup() {
        woken.set(false);
    }

    /** Ends the selection under way, or the next one. */
    void wakeup() {
        woken.set(true);
        if (stack.isAsleep()) {
            rouse();
        }
    }

    /** Tells whether there is a reason not to sleep. */
    private boolean isRoused() {
        return woken.get() || !stack.isEmpty();
    }

    /** Ends the sleep; what {@link #isRoused} asks has changed before. */
    private void rouse() {
        Driver its = driven;
        if (its != null) {
            its.rouse();
        } else {
            inner.wakeup();
        }
    }

    /**
     * Sleeps in the driver's place, where channels of the JDK's are not heard; false if it has not.
     *
     * @param nanos for how long at most, for ever if negative
     */
    boolean hasDriven(long nanos) {
        Driver its = driver;
        if (its == null) {
            return false;
        }
        driven = its;
        try {
            return its.driveUntil(roused, nanos, this);
        } finally {
            driven = null;
        }
    }

    /** Sleeps in the JDK's selector, and tells {@code found} of the keys that are ready there. */
    void sleep(long nanos, Consumer<SelectionKey> found) throws IOException {
        // Who roused it while it tried to drive has left a reason, and roused nobody.
        if (isRoused()) {
            return;
        }
        if (nanos < 0) {
            inner.select(found);
        } else {
            inner.select(found, Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999)));
        }
        Driver its = driver;
        if (its != null && !stack.isEmpty()) {
            its.woke(this);
        }
    }
}
