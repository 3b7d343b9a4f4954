package org.panamaverbs.ibverbs.device;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.support.Waits;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.Failure;

/**
 * A device that is being opened by a thread of its own, since a driver whose adapter hangs may not come back for long.
 * What comes too late is closed. Each device has one such thread in the process: another open of it begins when the one
 * before has ended, and fails at once where that was given up.
 */
final class BoundedOpen {
    /** How long a device may take: one that is well takes milliseconds. */
    static final int SECONDS = 5;

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition CHANGED = LOCK.newCondition();
    // Guarded by LOCK: the opens whose threads have not ended, by the device's name.
    private static final Map<String, BoundedOpen> RUNNING = new HashMap<>();

    private final String name;
    private final Predicate<OpenedDevice> tried;
    private final long since = System.nanoTime();
    // Guarded by LOCK, as the rest.
    private boolean begun;
    private @Nullable OpenedDevice device;
    private @Nullable Throwable failure;
    private boolean givenUp;

    private BoundedOpen(String name, Predicate<OpenedDevice> tried) {
        this.name = name;
        this.tried = tried;
    }

    /**
     * Begins to open the device {@code name}, which {@link #await} has to be called for.
     *
     * @param tried whether what it can do is to be tried, too, once it is open
     */
    static BoundedOpen of(String name, Predicate<OpenedDevice> tried) {
        BoundedOpen open = new BoundedOpen(name, tried);
        LOCK.lock();
        try {
            open.beginIfAlone();
        } finally {
            LOCK.unlock();
        }
        return open;
    }

    /** Opens the device {@code name} within {@value #SECONDS} seconds; otherwise as {@link #of} and {@link #await}. */
    static OpenedDevice open(String name, Predicate<OpenedDevice> tried) {
        return of(name, tried).await(Deadline.in(SECONDS, TimeUnit.SECONDS));
    }

    String name() {
        return name;
    }

    /** Starts the thread unless another open of the device has one; under the lock. */
    private void beginIfAlone() {
        if (!RUNNING.containsKey(name)) {
            RUNNING.put(name, this);
            try {
                Thread.ofPlatform().daemon().name("verbs-open-" + name).start(this::run);
                begun = true;
            } finally {
                if (!begun) {
                    RUNNING.remove(name);
                }
            }
        }
    }

    private void run() {
        OpenedDevice opened = null;
        Throwable thrown = null;
        try {
            opened = OpenedDevice.openAlone(name, tried);
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
        OpenedDevice late = given(opened, thrown);
        try {
            if (late != null) {
                late.close();
            }
        } finally {
            ended();
        }
    }

    /** Hands what came of it to whoever waits; returns the device if nobody does any more. */
    private @Nullable OpenedDevice given(@Nullable OpenedDevice opened, @Nullable Throwable thrown) {
        LOCK.lock();
        try {
            if (givenUp) {
                return opened;
            }
            device = opened;
            failure = thrown;
            CHANGED.signalAll();
            return null;
        } finally {
            LOCK.unlock();
        }
    }

    private void ended() {
        LOCK.lock();
        try {
            RUNNING.remove(name);
            CHANGED.signalAll();
        } finally {
            LOCK.unlock();
        }
    }

    /**
     * Returns the device, which is the caller's.
     *
     * @throws ResourceException if it cannot be opened or asked, or is not by {@code deadline}, or an open before was
     *     given up and has not returned
     */
    OpenedDevice await(Deadline deadline) {
        LOCK.lock();
        try {
            while (!begun) {
                awaitTurn(deadline);
                beginIfAlone();
            }
            Waits.uninterruptibly(() -> device != null || failure != null, deadline, CHANGED);
            if (device != null) {
                return device;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            givenUp = true;
            CHANGED.signalAll(); // whoever waits for its end waits in vain
            throw unanswered(this);
        } finally {
            LOCK.unlock();
        }
    }

    private void awaitTurn(Deadline deadline) {
        Waits.uninterruptibly(
                () -> {
                    BoundedOpen before = RUNNING.get(name);
                    return before == null || before.givenUp;
                },
                deadline,
                CHANGED);
        BoundedOpen before = RUNNING.get(name);
        if (before != null) {
            throw unanswered(before);
        }
    }

    private static ResourceException unanswered(BoundedOpen open) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - open.since);
        return Failure.of(
                "ibv_open_device",
                "device " + open.name + " does not answer: an open that began " + millis + " ms ago has not returned",
                Errno.ETIMEDOUT,
                "see dmesg, reset the adapter, or name another one (-Dverbs.device)");
    }
}
