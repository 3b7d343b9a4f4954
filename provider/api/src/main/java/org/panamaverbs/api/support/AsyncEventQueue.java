package org.panamaverbs.api.support;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.stack.KeepingQueue;

/**
 * The asynchronous events of a device that nobody has taken yet: the oldest {@value #CAPACITY}. Later ones are dropped
 * and counted, and the next one that finds a place says how many. A call that lacks memory or stack has neither added
 * nor taken one. Any thread.
 */
public final class AsyncEventQueue implements EventMember {
    /** How many events it keeps. */
    public static final int CAPACITY = 4096;

    private final ManagedResource device;
    // Guarded by this, as the rest.
    private final KeepingQueue<AsyncEvent> events = new KeepingQueue<>();
    private long dropped;

    private final Readiness readiness = new Readiness();

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
    public void add(AsyncEvent event) {
        if (added(event)) {
            try {
                readiness.changed();
            } catch (RuntimeException | Error e) {
                // The event is there all the same: that it may have been missed is asked now and then.
            }
        }
    }

    private synchronized boolean added(AsyncEvent event) {
        if (events.size() == CAPACITY) {
            dropped++;
            return false;
        }
        AsyncEvent added = dropped == 0 ? event : after(event);
        // Who wakes up waits for the monitor. Behind it the call could fail with the event there, to be raised again.
        notifyAll();
        events.add(added);
        dropped = 0;
        return true;
    }

    @Override
    public Readiness readiness() {
        return readiness;
    }

    @Override
    public ManagedResource device() {
        return device;
    }

    @Override
    public boolean isOpen() {
        return device.isOpen();
    }

    @Override
    public synchronized Taken take(Event event) {
        AsyncEvent oldest = events.peek();
        if (oldest == null) {
            return Taken.NOTHING;
        }
        event.async(oldest);
        events.poll();
        return Taken.ONE;
    }

    /** Tells whether there is one: who added it may have failed before that could be said. */
    @Override
    public boolean mayHaveMissed() {
        return !isEmpty();
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
        events.removeIf(event -> event.source().equals(source));
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
                synchronized (this) {
                    AsyncEvent oldest = events.peek();
                    if (oldest != null) {
                        Optional<AsyncEvent> taken = Optional.of(oldest);
                        // Last: whatever fails before has taken nothing.
                        events.poll();
                        return taken;
                    }
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

    private synchronized boolean isEmpty() {
        return events.isEmpty();
    }
}
