package org.panamaverbs.iwarp.engine;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.TerminateCause;

/** The asynchronous events of a context that nobody has taken yet: bounded, later ones are dropped and counted. */
final class AsyncEvents {
    private static final int CAPACITY = 4096;

    private final ArrayDeque<AsyncEvent> queue = new ArrayDeque<>();
    private final WaitPoint waiters = new WaitPoint();
    private final BooleanSupplier open;
    private long dropped;

    /** Makes an empty queue; waits end when {@code open} is false. */
    AsyncEvents(BooleanSupplier open) {
        this.open = open;
    }

    /** Adds an event. */
    void raise(AsyncEvent.Type type, Object source, String detail, @Nullable TerminateCause cause) {
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

    /** Waits for an event and takes it; empty if the deadline passed or the context is closed. */
    Optional<AsyncEvent> take(Deadline deadline, @Nullable Runnable drive) {
        while (true) {
            AsyncEvent event = poll();
            if (event != null) {
                return Optional.of(event);
            }
            if (!open.getAsBoolean() || !waiters.await(() -> !isEmpty() || !open.getAsBoolean(), deadline, drive)) {
                return Optional.ofNullable(poll());
            }
        }
    }

    /** Forgets the events of {@code source}, which is being closed. */
    void forget(Object source) {
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
