package org.panamaverbs.local.context;

import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.support.EventMember;
import org.panamaverbs.api.support.EventWait;

/** How event queues wait: for the lock of all to be notified. */
public final class FabricWait implements EventWait {
    @Override
    public void await(BooleanSupplier done, Deadline deadline) throws InterruptedException {
        synchronized (Fabric.LOCK) {
            Fabric.await(done, deadline);
        }
    }

    @Override
    public void look() {
        // All members say by themselves that they have something.
    }

    @Override
    public void wake() {
        synchronized (Fabric.LOCK) {
            Fabric.LOCK.notifyAll();
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
