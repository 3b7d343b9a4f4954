package org.panamaverbs.ibverbs.device;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.support.Waits;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.Failure;

/**
 * A device that is being opened by a thread of its own, since a driver whose adapter hangs may not come back for long.
 * What comes too late is closed.
 */
final class BoundedOpen {
    /** How long a device may take: one that is well takes milliseconds. */
    static final int SECONDS = 5;

    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private @Nullable OpenedDevice device;
    private @Nullable Throwable failure;
    private boolean late;

    /** Begins to open the device {@code name}, which {@link #await} has to be called for. */
    @SuppressWarnings("this-escape") // the thread is started when all is set
    BoundedOpen(String name) {
        this.name = name;
        Thread.ofPlatform().daemon().name("verbs-open-" + name).start(this::run);
    }

    String name() {
        return name;
    }

    private void run() {
        OpenedDevice opened = null;
        Throwable thrown = null;
        try {
            opened = OpenedDevice.openAlone(name);
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
        lock.lock();
        try {
            if (!late) {
                device = opened;
                failure = thrown;
                opened = null;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (opened != null) {
            opened.close();
        }
    }

    /**
     * Returns the device, which is the caller's.
     *
     * @throws ResourceException if it cannot be opened or asked, or is not by {@code deadline}
     */
    OpenedDevice await(Deadline deadline) {
        lock.lock();
        try {
            Waits.uninterruptibly(() -> device != null || failure != null, deadline, changed);
            if (device != null) {
                return device;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            late = true;
            throw Failure.of(
                    "ibv_open_device",
                    "device " + name,
                    Errno.ETIMEDOUT,
                    "it does not answer: see dmesg, reset the adapter, or name another one (-Dverbs.device)");
        } finally {
            lock.unlock();
        }
    }
}
