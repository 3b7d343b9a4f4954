package org.panamaverbs.iwarp.engine;

import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.OptionalInt;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.WaitPoint;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.EventWriter;
import org.panamaverbs.spi.support.Readiness;
import org.panamaverbs.spi.support.Waits;

/** Where armed completion queues raise events. A queue that has raised one that nobody took yet raises no second. */
public final class IwarpCompletionChannel extends ManagedResource implements CompletionChannel, EventMember {
    private static final EventWriter WRITER = EventWriter.get();
    private final RaisedEvents raised;
    private final WaitPoint waiters;
    private final Readiness readiness;
    private final Context context;
    private final Progress progress;
    // Of the queues that raise events here.
    private final WeakList<Drivers> drivers;
    private final WeakReference<WeakList<Drivers>> queues;
    private final RingSleep rings;

    public IwarpCompletionChannel(Streams streams, int number) {
        super("completion channel " + number, streams.context().owner());
        context = streams.context();
        progress = streams.progress();
        try {
            raised = new RaisedEvents();
            waiters = new WaitPoint();
            readiness = new Readiness();
            drivers = new WeakList<>();
            queues = new WeakReference<>(drivers);
            rings = new RingSleep();
            rings.add(queues);
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    @Override
    public ManagedResource device() {
        return context.owner();
    }

    /** Has waits drive the streams of a queue, which keeps {@code queue}. */
    void add(WeakReference<Drivers> queue) {
        drivers.add(queue);
    }

    /** Has waits drive these no longer, and drops {@code event}: the queue is being closed. */
    void remove(WeakReference<Drivers> queue, RaisedEvents.Entry event) {
        drivers.remove(queue);
        raised.remove(event);
    }

    /** Returns the streams of the queues that raise events here. */
    WeakReference<WeakList<Drivers>> queues() {
        return queues;
    }

    /** Adds the event of {@code queue}. */
    void raise(RaisedEvents.Entry queue) {
        raised.add(queue);
        waiters.changed();
        readiness.changed();
    }

    @Override
    public Optional<CompletionQueue> await(Deadline deadline) {
        while (true) {
            requireOpen();
            if (Thread.currentThread().isInterrupted()) {
                throw Waits.interrupted("await", resourceName());
            }
            Optional<CompletionQueue> taken = raised.take();
            if (taken.isPresent()) {
                return taken;
            }
            if (!awaitEvent(deadline)) {
                return Optional.empty();
            }
        }
    }

    @Override
    public Taken take(Event event) {
        Optional<CompletionQueue> taken = raised.take();
        if (taken.isEmpty()) {
            return Taken.NOTHING;
        }
        WRITER.completion(event, taken.get());
        return Taken.ONE;
    }

    @Override
    public Readiness readiness() {
        return readiness;
    }

    @Override
    public boolean mayHaveMissed() {
        return !raised.isEmpty();
    }

    private boolean awaitEvent(Deadline deadline) {
        try {
            return progress.awaitCompletion(waiters, () -> !raised.isEmpty() || !isOpen(), deadline, rings);
        } catch (InterruptedException e) {
            throw Waits.interrupted("await", resourceName());
        }
    }

    @Override
    public OptionalInt fileDescriptor() {
        return OptionalInt.empty();
    }

    @Override
    protected void release() {
        readiness.closed();
        waiters.changed();
    }
}
