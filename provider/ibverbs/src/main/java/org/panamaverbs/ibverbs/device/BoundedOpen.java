package org.panamaverbs.ibverbs.device;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.BoundedCall;
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
    // Guarded by LOCK: the first open of a device that was given up and whose thread has not ended, by its name.
    private static final Map<String, BoundedOpen> HUNG = new HashMap<>();

    private final String name;
    private final long since = System.nanoTime();
    // What this one was refused for, or its call.
    private @Nullable BoundedOpen hung;
    private @Nullable BoundedCall<OpenedDevice> call;
    // Guarded by LOCK: whether its thread is done.
    private boolean ended;

    private BoundedOpen(String name) {
        this.name = name;
    }

    /**
     * Begins to open the device {@code name}, which {@link #await} has to be called for.
     *
     * @param tried whether what it can do is to be tried, too, once it is open
     */
    static BoundedOpen of(String name, Predicate<OpenedDevice> tried) {
        BoundedOpen open = new BoundedOpen(name);
        LOCK.lock();
        try {
            open.hung = HUNG.get(name);
        } finally {
            LOCK.unlock();
        }
        if (open.hung == null) {
            open.call = BoundedCall.start(
                    "verbs-open-" + name, () -> OpenedDevice.openAlone(name, tried), OpenedDevice::close, open::ended);
        }
        return open;
    }

    /** Opens the device {@code name} within {@code seconds}; otherwise as {@link #of} and {@link #await}. */
    static OpenedDevice open(String name, int seconds, Predicate<OpenedDevice> tried) {
        Deadline deadline = Deadline.in(seconds, TimeUnit.SECONDS);
        return of(name, tried).await(deadline);
    }

    /** Returns how long each of the devices {@code names} may take, of which one is wanted. */
    static int seconds(List<String> names) {
        return names.size() == 1 ? WANTED_SECONDS : SECONDS;
    }

    String name() {
        return name;
    }

    private void ended() {
        LOCK.lock();
        try {
            ended = true;
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
        BoundedCall<OpenedDevice> begun = call;
        if (begun == null) {
            throw unanswered(hung == null ? this : hung);
        }
        try {
            OpenedDevice device = begun.await(deadline);
            if (device == null) {
                throw unanswered(this);
            }
            return device;
        } finally {
            if (begun.isGivenUp()) {
                noteHung();
            }
        }
    }

    private void noteHung() {
        LOCK.lock();
        try {
            if (!ended) {
                HUNG.putIfAbsent(name, this);
            }
        } finally {
            LOCK.unlock();
        }
    }

    private static ResourceException unanswered(BoundedOpen open) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - open.since);
        return Failure.of(
                "ibv_open_device",
                "device " + open.name + " does not answer: an open call has not returned for " + millis + " ms",
                Errno.ETIMEDOUT,
                "check dmesg, reset the adapter, or choose another one (-Dverbs.device)");
    }
}
