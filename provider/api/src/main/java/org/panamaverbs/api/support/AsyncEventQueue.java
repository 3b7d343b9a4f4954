package org.panamaverbs.api.support;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.memory.ManagedResource;

/**
 * The asynchronous events of a device that nobody has taken yet: the oldest {@value #CAPACITY}. Later ones are dropped
 * and counted, and the next one that finds a place says how many. Any thread.
 */
public final class AsyncEventQueue {
    /** How many events it keeps. */
    public static final int CAPACITY = 4096;

    private final ManagedResource device;
    private final ArrayDeque<AsyncEvent> queue = new ArrayDeque<>();
    private long dropped;

    /** Creates an empty queue; waits end when {@code device} is closed and {@link #wake} is called. */
    public AsyncEventQueue(ManagedResource device) {
        this.device = device;
    }

    /** How a thread waits. */
    @FunctionalInterface
    public interface Waiting {
        /** Waits until {@code done}; returns false if the deadline passed before. */
        boolean await(BooleanSupplier done, Deadline deadline) throws InterruptedException;
    }

    /** Adds {@code event} if there is a place, and wakes who waits here. */
    public synchronized void add(AsyncEvent event) {
        if (queue.size() == CAPACITY) {
            dropped++;
            return;
        }
        queue.add(dropped == 0 ? event : after(event));
        dropped = 0;
        notifyAll();
    }

    private AsyncEvent after(AsyncEvent event) {
        String detail = event.detail() + " (" + dropped + " earlier events were dropped)";
        return new AsyncEvent(event.type(), event.source(), detail, event.terminate());
    }

    /** Counts an event that was lost before it came here. */
    public synchronized void lost() {
        dropped++;
    }

    /** Drops the events of {@code source}, which is being closed. */
    public synchronized void forget(Object source) {
        queue.removeIf(event -> event.source().equals(source));
    }

    /** Has all who wait here look again, as the device is closed. */
    public synchronized void wake() {
        notifyAll();
    }

    /**
     * Takes the oldest event, for {@code Verbs.asyncEvent}; waits for one here.
     *
     * @return empty if the deadline passed
     * @throws IllegalStateException if the device is closed and no event is left
     * @throws WaitInterruptedException if the thread is interrupted before or meanwhile; its flag is set then
     */
    public Optional<AsyncEvent> take(Deadline deadline) {
        return take(deadline, this::sleep);
    }

    /** Takes the oldest event as {@link #take(Deadline)} does, and waits for one in the provider's way. */
    public Optional<AsyncEvent> take(Deadline deadline, Waiting waiting) {
        try {
            boolean waited = true;
            while (waited) {
                Waits.requireNoInterrupt();
                // First: an event that wakes this thread as the device closes is still there.
                AsyncEvent event = poll();
                if (event != null) {
                    return taken(event);
                }
                device.requireOpen();
                waited = waiting.await(() -> !isEmpty() || !device.isOpen(), deadline);
            }
            return Optional.empty();
        } catch (InterruptedException e) {
            throw Waits.interrupted("asyncEvent", "an event of " + device.resourceName());
        }
    }

    private synchronized boolean sleep(BooleanSupplier done, Deadline deadline) throws InterruptedException {
        return Waits.interruptibly(done, deadline, this);
    }

    private Optional<AsyncEvent> taken(AsyncEvent event) {
        try {
            return Optional.of(event);
        } catch (OutOfMemoryError e) {
            putBack(event);
            throw e;
        }
    }

    private synchronized void putBack(AsyncEvent event) {
        queue.addFirst(event);
    }

    private synchronized boolean isEmpty() {
        return queue.isEmpty();
    }

    private synchronized @Nullable AsyncEvent poll() {
        return queue.poll();
    }
}
