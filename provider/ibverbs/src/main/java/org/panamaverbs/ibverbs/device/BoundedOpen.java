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
 * What comes too late is closed. Once an open was given up, further ones of the device fail at once until its thread
 * ends: a hung device keeps the threads that tried it at the same time, and no more.
 */
final class BoundedOpen {
    /** How long one device of several may take: one that is well takes milliseconds. */
    static final int SECONDS = 5;

    /** How long the only one that is wanted may take, which a slow machine needs for its first classes and objects. */
    static final int WANTED_SECONDS = 30;

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition CHANGED = LOCK.newCondition();
    // Guarded by LOCK: the first open of a device that was given up and whose thread has not ended, by its name.
    private static final Map<String, BoundedOpen> HUNG = new HashMap<>();

    private final String name;
    private final Predicate<OpenedDevice> tried;
    private final long since = System.nanoTime();
    // Guarded by LOCK, as the rest: the open that this one was refused for.
    private @Nullable BoundedOpen hung;
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
            open.hung = HUNG.get(name);
        } finally {
            LOCK.unlock();
        }
        if (open.hung == null) {
            Thread.ofPlatform().daemon().name("verbs-open-" + name).start(open::run);
        }
        return open;
    }

    /** Opens the device {@code name} within {@code seconds}; otherwise as {@link #of} and {@link #await}. */
    static OpenedDevice open(String name, int seconds, Predicate<OpenedDevice> tried) {
        Deadline deadline = Deadline.in(seconds, TimeUnit.SECONDS);
        return of(name, tried).await(deadline);
    }

    String name() {
        return name;
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
            HUNG.remove(name, this);
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
            if (hung != null) {
                throw unanswered(hung);
            }
            try {
                Waits.uninterruptibly(() -> device != null || failure != null, deadline, CHANGED);
            } finally {
                giveUpUnlessOver();
            }
            if (device != null) {
                return device;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw unanswered(this);
        } finally {
            LOCK.unlock();
        }
    }

    private void giveUpUnlessOver() {
        if (device == null && failure == null) {
            givenUp = true;
            HUNG.putIfAbsent(name, this);
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
