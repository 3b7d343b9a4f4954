package org.panamaverbs.spi.support;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.memory.ManagedResource;

/**
 * The queued asynchronous events of a device: the oldest {@value #CAPACITY}, and one of each object and type that
 * reports a permanent failure. Further events are dropped and counted, and the next one queued reports the number. Any
 * thread may call any method.
 */
public final class AsyncEventQueue implements EventMember {
    private static final EventWriter WRITER = EventWriter.get();
    private static final Set<AsyncEvent.Type> FATAL = EnumSet.of(
            AsyncEvent.Type.CQ_ERROR,
            AsyncEvent.Type.QP_FATAL,
            AsyncEvent.Type.QP_REQUEST_ERROR,
            AsyncEvent.Type.QP_ACCESS_ERROR,
            AsyncEvent.Type.SRQ_ERROR,
            AsyncEvent.Type.DEVICE_FATAL,
            AsyncEvent.Type.DEVICE_REMOVAL);

    /** Maximum number of queued events besides permanent failures. */
    public static final int CAPACITY = 4096;

    private final ManagedResource device;
    // Guarded by this, as the rest. A list: a deque that lacks memory to grow loses what it holds.
    private final List<AsyncEvent> events = new ArrayList<>();
    private long dropped;

    private final Readiness readiness = new Readiness();

    /** Creates an empty queue. Waits end when {@code device} is closed and {@link #wake} is called. */
    public AsyncEventQueue(ManagedResource device) {
        this.device = device;
    }

    /** How a thread waits. */
    @FunctionalInterface
    public interface Waiting {
        /** Waits until {@code done}; returns false if the deadline passed before. */
        boolean await(BooleanSupplier done, Deadline deadline) throws InterruptedException;
    }

    /** Queues {@code event} if there is room, and wakes waiting threads. */
    public void add(AsyncEvent event) {
        if (added(event)) {
            readiness.changed();
        }
    }

    private synchronized boolean added(AsyncEvent event) {
        if (events.size() >= CAPACITY && (!FATAL.contains(event.type()) || isKnown(event))) {
            dropped++;
            return false;
        }
        events.add(dropped == 0 ? event : after(event));
        dropped = 0;
        notifyAll();
        return true;
    }

    private boolean isKnown(AsyncEvent event) {
        for (AsyncEvent known : events) {
            if (known.type() == event.type() && known.source().equals(event.source())) {
                return true;
            }
        }
        return false;
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
        if (events.isEmpty()) {
            return Taken.NOTHING;
        }
        WRITER.async(event, events.getFirst());
        events.removeFirst();
        return Taken.ONE;
    }

    /** Tells whether there is one: who added it may have failed before that could be said. */
    @Override
    public boolean mayHaveMissed() {
        return !isEmpty();
    }

    private AsyncEvent after(AsyncEvent event) {
        String detail = event.detail() + " (" + dropped + " earlier events were dropped)";
        return new AsyncEvent(event.type(), event.source(), detail, event.terminate(), event.port());
    }

    /** Counts an event that was lost before it was queued. */
    public synchronized void lost() {
        dropped++;
    }

    /** Drops the events of {@code source}, which is being closed. */
    public synchronized void forget(Object source) {
        // Without an iterator or a lambda: a source is closed where memory lacks, too.
        for (int i = events.size() - 1; i >= 0; i--) {
            if (events.get(i).source().equals(source)) {
                events.remove(i);
            }
        }
    }

    /** Wakes waiting threads after the device was closed. */
    public synchronized void wake() {
        notifyAll();
    }

    /**
     * Waits until there is an event and takes the oldest, for {@code Verbs.asyncEvent}.
     *
     * @return the event, empty if the deadline passed
     * @throws IllegalStateException if the device is closed and no event is left
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait; the interrupt flag stays
     *     set
     */
    public Optional<AsyncEvent> take(Deadline deadline) {
        return take(deadline, this::sleep);
    }

    /** Takes the oldest event, waiting by {@code waiting}; otherwise as {@link #take(Deadline)}. */
    public Optional<AsyncEvent> take(Deadline deadline, Waiting waiting) {
        try {
            boolean waited = true;
            while (waited) {
                Waits.requireNoInterrupt();
                // First: an event that wakes this thread as the device closes is still there.
                synchronized (this) {
                    if (!events.isEmpty()) {
                        Optional<AsyncEvent> taken = Optional.of(events.getFirst());
                        events.removeFirst();
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
