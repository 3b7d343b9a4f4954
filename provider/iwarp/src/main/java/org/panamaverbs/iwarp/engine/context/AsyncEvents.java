package org.panamaverbs.iwarp.engine.context;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.iwarp.TerminateCause;
import org.panamaverbs.iwarp.core.fault.Fault;
import org.panamaverbs.iwarp.core.fault.StreamEvent;
import org.panamaverbs.memory.ManagedResource;

/** The asynchronous events of a context that nobody has taken yet: bounded, later ones are dropped and counted. */
public final class AsyncEvents {
    private static final int CAPACITY = 4096;

    private final ArrayDeque<AsyncEvent> queue = new ArrayDeque<>();
    private final WaitPoint waiters = new WaitPoint();
    private final BooleanSupplier open;
    private long dropped;

    /** Makes an empty queue; waits end when {@code open} is false. */
    public AsyncEvents(BooleanSupplier open) {
        this.open = open;
    }

    /** Adds what {@code event} of a stream is to the application, of {@code queuePair} and with its {@code fault}. */
    public void raise(StreamEvent event, ManagedResource queuePair, @Nullable Fault fault) {
        AsyncEvent.Type type = switch (event) {
            case COMMUNICATION_ESTABLISHED -> AsyncEvent.Type.COMMUNICATION_ESTABLISHED;
            case ACCESS_ERROR -> AsyncEvent.Type.QP_ACCESS_ERROR;
            case REQUEST_ERROR -> AsyncEvent.Type.QP_REQUEST_ERROR;
            case FATAL -> AsyncEvent.Type.QP_FATAL;
            case LAST_WQE_REACHED -> AsyncEvent.Type.QP_LAST_WQE_REACHED;
            case DISCONNECTED -> null; // seen by Connection.awaitDisconnect
        };
        if (type != null) {
            String name = queuePair.resourceName();
            TerminateCause cause = fault == null ? null : fault.cause();
            raise(type, queuePair, cause == null ? name : name + ": " + cause, cause);
        }
    }

    /** Adds an event. */
    public void raise(AsyncEvent.Type type, Object source, String detail, @Nullable TerminateCause cause) {
        synchronized (queue) {
            if (queue.size() == CAPACITY) {
                dropped++;
                return;
            }
            String text = dropped == 0 ? detail : detail + " (" + dropped + " earlier events were dropped)";
            dropped = 0;
            queue.add(new AsyncEvent(type, source, text, cause));
        }
        waiters.changed();
    }

    /** How a thread waits. */
    public interface Waiting {
        /** Waits until {@code done}; returns false if the deadline passed before. */
        boolean await(WaitPoint point, BooleanSupplier done, Deadline deadline) throws InterruptedException;
    }

    /** Waits for an event and takes it; empty if the deadline passed. */
    public Optional<AsyncEvent> take(Deadline deadline, Waiting waiting) {
        while (true) {
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted();
            }
            AsyncEvent event = poll();
            if (event != null) {
                return taken(event);
            }
            if (!open.getAsBoolean()) {
                throw new IllegalStateException("the device was closed while an event was waited for");
            }
            if (!awaitEvent(deadline, waiting)) {
                return Optional.empty();
            }
        }
    }

    private boolean awaitEvent(Deadline deadline, Waiting waiting) {
        try {
            return waiting.await(waiters, () -> !isEmpty() || !open.getAsBoolean(), deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted();
        }
    }

    private static WaitInterruptedException interrupted() {
        return new WaitInterruptedException("asyncEvent", "interrupted while waiting for an event of the device");
    }

    private Optional<AsyncEvent> taken(AsyncEvent event) {
        try {
            return Optional.of(event);
        } catch (OutOfMemoryError e) {
            synchronized (queue) {
                queue.addFirst(event);
            }
            throw e;
        }
    }

    /** Forgets the events of {@code source}, which is being closed. */
    public void forget(Object source) {
        synchronized (queue) {
            queue.removeIf(event -> event.source().equals(source));
        }
    }

    /** Ends all waits. */
    void close() {
        waiters.changed();
    }

    private boolean isEmpty() {
        synchronized (queue) {
            return queue.isEmpty();
        }
    }

    private @Nullable AsyncEvent poll() {
        synchronized (queue) {
            return queue.poll();
        }
    }
}
