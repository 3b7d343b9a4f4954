package org.panamaverbs.local.objects;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalInt;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.support.Waits;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.context.OpenDevice;
import org.panamaverbs.memory.ManagedResource;

/** Where armed queues raise events. */
public final class LocalCompletionChannel extends ManagedResource implements CompletionChannel {
    private final OpenDevice device;
    private final Deque<CompletionQueue> raised = new ArrayDeque<>();

    public LocalCompletionChannel(OpenDevice device) {
        super("completion channel " + Fabric.nextNumber(), device);
        this.device = device;
    }

    public OpenDevice device() {
        return device;
    }

    /** Adds the event of {@code queue}, unless one waits already. */
    void raise(CompletionQueue queue) {
        if (!raised.contains(queue)) {
            raised.add(queue);
            Fabric.LOCK.notifyAll();
        }
    }

    /** Drops the event of {@code queue}, which is being closed. */
    void forget(CompletionQueue queue) {
        synchronized (Fabric.LOCK) {
            raised.remove(queue);
        }
    }

    @Override
    public Optional<CompletionQueue> await(Deadline deadline) {
        synchronized (Fabric.LOCK) {
            requireOpen();
            try {
                Fabric.awaitInterruptibly(() -> !raised.isEmpty() || !isOpen(), deadline);
            } catch (InterruptedException e) {
                throw Waits.interrupted("await", resourceName());
            }
            requireOpen();
            return Optional.ofNullable(raised.poll());
        }
    }

    @Override
    public OptionalInt fileDescriptor() {
        return OptionalInt.empty();
    }

    @Override
    protected void destroy() {
        synchronized (Fabric.LOCK) {
            Fabric.LOCK.notifyAll();
        }
    }
}
