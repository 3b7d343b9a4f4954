package org.panamaverbs.spi.software;

import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.EventWait;
import org.panamaverbs.spi.support.Waits;

/** How event queues wait: for the lock to be notified. */
final class LockWait implements EventWait {
    private final Object lock;

    LockWait(Object lock) {
        this.lock = lock;
    }

    @Override
    public void await(BooleanSupplier done, Deadline deadline) throws InterruptedException {
        synchronized (lock) {
            Waits.interruptibly(done, deadline, lock);
        }
    }

    @Override
    public void look() {
        // All members say by themselves that they have something.
    }

    @Override
    public void wake() {
        synchronized (lock) {
            lock.notifyAll();
        }
    }

    @Override
    public void added(EventMember member) {
        // Nothing is watched.
    }

    @Override
    public void removed(EventMember member) {
        // Nothing is watched.
    }

    @Override
    public OptionalInt fileDescriptor() {
        return OptionalInt.empty();
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
