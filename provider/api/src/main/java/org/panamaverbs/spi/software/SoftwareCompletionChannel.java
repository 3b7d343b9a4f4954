package org.panamaverbs.spi.software;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalInt;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.EventWriter;
import org.panamaverbs.spi.support.Readiness;
import org.panamaverbs.spi.support.Waits;

/** Where armed queues raise events. */
final class SoftwareCompletionChannel extends ManagedResource implements CompletionChannel, EventMember {
    private static final EventWriter WRITER = EventWriter.get();
    private final SoftwareDevice device;
    private final Readiness readiness = new Readiness();
    private final Deque<CompletionQueue> raised = new ArrayDeque<>();

    SoftwareCompletionChannel(SoftwareDevice device) {
        super("completion channel " + SoftwareDevice.nextNumber(), device);
        this.device = device;
    }

    @Override
    public SoftwareDevice device() {
        return device;
    }

    /** Adds the event of {@code queue}, unless one waits already. */
    void raise(CompletionQueue queue) {
        if (!raised.contains(queue)) {
            raised.add(queue);
            device.lock().notifyAll();
            readiness.changed();
        }
    }

    /** Drops the event of {@code queue}, which is being closed. */
    void forget(CompletionQueue queue) {
        synchronized (device.lock()) {
            raised.remove(queue);
        }
    }

    @Override
    public Optional<CompletionQueue> await(Deadline deadline) {
        synchronized (device.lock()) {
            requireOpen();
            try {
                Waits.interruptibly(() -> !raised.isEmpty() || !isOpen(), deadline, device.lock());
            } catch (InterruptedException e) {
                throw Waits.interrupted("await", resourceName());
            }
            requireOpen();
            return Optional.ofNullable(raised.poll());
        }
    }

    @Override
    public Taken take(Event event) {
        synchronized (device.lock()) {
            CompletionQueue queue = raised.poll();
            if (queue == null) {
                return Taken.NOTHING;
            }
            WRITER.completion(event, queue);
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
        synchronized (device.lock()) {
            device.lock().notifyAll();
        }
    }
}
