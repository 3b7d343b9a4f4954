package org.panamaverbs.local.objects;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalInt;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.support.EventMember;
import org.panamaverbs.api.support.Readiness;
import org.panamaverbs.api.support.Waits;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.context.OpenDevice;
import org.panamaverbs.memory.ManagedResource;

/** Where armed queues raise events. */
public final class LocalCompletionChannel extends ManagedResource implements CompletionChannel, EventMember {
    private final OpenDevice device;
    private final Readiness readiness = new Readiness();
    private final Deque<CompletionQueue> raised = new ArrayDeque<>();

    public LocalCompletionChannel(OpenDevice device) {
        super("completion channel " + Fabric.nextNumber(), device);
        this.device = device;
    }

    @Override
    public OpenDevice device() {
        return device;
    }

    /** Adds the event of {@code queue}, unless one waits already. */
    void raise(CompletionQueue queue) {
        if (!raised.contains(queue)) {
            raised.add(queue);
            Fabric.LOCK.notifyAll();
            readiness.changed();
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
                Fabric.await(() -> !raised.isEmpty() || !isOpen(), deadline);
            } catch (InterruptedException e) {
                throw Waits.interrupted("await", resourceName());
            }
            requireOpen();
            return Optional.ofNullable(raised.poll());
        }
    }

    @Override
    public Taken take(Event event) {
        synchronized (Fabric.LOCK) {
            CompletionQueue queue = raised.poll();
            if (queue == null) {
                return Taken.NOTHING;
            }
            event.completion(queue);
            return Taken.ONE;
        }
    }

    @Override
    public Readiness readiness() {
        return readiness;
    }

    @Override
    public OptionalInt fileDescriptor() {
        return OptionalInt.empty();
    }

    @Override
    protected void destroy() {
        readiness.closed();
        synchronized (Fabric.LOCK) {
            Fabric.LOCK.notifyAll();
        }
    }
}
