package org.panamaverbs.iwarp.engine.device;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.iwarp.core.Fault;
import org.panamaverbs.iwarp.core.StreamEvent;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.AsyncEventQueue;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.watch.DeviceWatch;

/** The asynchronous events of a context, with what its streams raise, and where threads wait for them. */
public final class AsyncEvents {
    private final AsyncEventQueue queue;
    private final DeviceWatch watch;
    private final WaitPoint waiters = new WaitPoint();

    /** Creates an empty queue; waits end when {@code device} is closed, and {@code watch} hears of each event. */
    public AsyncEvents(ManagedResource device, DeviceWatch watch) {
        this.watch = watch;
        queue = new AsyncEventQueue(device);
    }

    /**
     * Adds what {@code event} of a stream is to the application, of {@code queuePair}, which people call {@code name},
     * and with its {@code fault}.
     */
    public void raise(StreamEvent event, ManagedResource queuePair, String name, @Nullable Fault fault) {
        AsyncEvent.Type type = switch (event) {
            case COMMUNICATION_ESTABLISHED -> AsyncEvent.Type.COMMUNICATION_ESTABLISHED;
            case ACCESS_ERROR -> AsyncEvent.Type.QP_ACCESS_ERROR;
            case REQUEST_ERROR -> AsyncEvent.Type.QP_REQUEST_ERROR;
            case FATAL -> AsyncEvent.Type.QP_FATAL;
            case LAST_WQE_REACHED -> AsyncEvent.Type.QP_LAST_WQE_REACHED;
            case DISCONNECTED -> null; // seen by Connection.awaitDisconnect
        };
        if (type != null) {
            TerminateCause cause = fault == null ? null : fault.cause();
            raise(type, queuePair, cause == null ? name : name + ": " + cause, cause);
        }
    }

    /** Adds an event. */
    public void raise(AsyncEvent.Type type, Object source, String detail, @Nullable TerminateCause cause) {
        AsyncEvent event = new AsyncEvent(type, source, detail, cause);
        queue.add(event);
        watch.raised(event);
        waiters.changed();
    }

    /** How a thread waits. */
    public interface Waiting {
        /** Waits until {@code done}; returns false if the deadline passed before. */
        boolean await(WaitPoint point, BooleanSupplier done, Deadline deadline) throws InterruptedException;
    }

    /** Waits for an event and takes it; empty if the deadline passed. */
    public Optional<AsyncEvent> take(Deadline deadline, Waiting waiting) {
        return queue.take(deadline, (done, until) -> waiting.await(waiters, done, until));
    }

    /** Returns the events as a member of event queues. */
    public EventMember member() {
        return queue;
    }

    /** Forgets the events of {@code source}, which is being closed. */
    public void forget(Object source) {
        queue.forget(source);
    }

    /** Ends all waits. */
    void close() {
        waiters.changed();
    }
}
