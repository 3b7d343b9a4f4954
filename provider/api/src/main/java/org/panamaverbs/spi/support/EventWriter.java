package org.panamaverbs.spi.support;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;

/**
 * Writes {@link Events}, whose holders applications only read. A provider keeps {@link #get()} in a constant. An event
 * queue takes {@link #slot}, names the member by {@link #of}, has the member set one of the other values, and ends with
 * {@link #filled}. Allocates nothing. Callers hold the lock of their event queue: the holders have none.
 */
public abstract class EventWriter {
    // Set when Events is initialized: its package alone can write holders.
    private static @Nullable EventWriter instance;

    /** For package {@code api} alone. */
    protected EventWriter() {}

    /** For package {@code api} alone: sets what {@link #get} returns. */
    public static synchronized void provide(EventWriter writer) {
        if (instance != null) {
            throw new IllegalStateException("events have a writer already");
        }
        instance = writer;
    }

    /** Returns the writer, always the same object. */
    public static EventWriter get() {
        Events.ofCapacity(1); // initializes the class
        return provided();
    }

    private static synchronized EventWriter provided() {
        return Objects.requireNonNull(instance);
    }

    /** Returns the holder to fill for event {@code index}, below {@link Events#capacity()}. */
    public abstract Event slot(Events events, int index);

    /** Sets how many holders were filled, from the first on, and clears the others. */
    public abstract void filled(Events events, int count);

    /** Sets the member that the event concerns, and clears the rest. */
    public abstract void of(Event into, Object member, @Nullable Object attachment);

    /** Makes {@code into} the {@code request} of a listener. */
    public abstract void request(Event into, ConnectionRequest request);

    /** Makes {@code into} the result of an attempt, {@code connection}. */
    public abstract void established(Event into, Connection connection);

    /** Makes {@code into} the failure of the member. */
    public abstract void failed(Event into, RuntimeException failure);

    /** Makes {@code into} the end of the member, {@code connection}. */
    public abstract void disconnected(Event into, Connection connection);

    /** Makes {@code into} the event that {@code queue} raised at a channel. */
    public abstract void completion(Event into, CompletionQueue queue);

    /** Makes {@code into} an asynchronous {@code event} of the device, whose source is the member. */
    public abstract void async(Event into, AsyncEvent event);

    /** Clears the holder. */
    public abstract void clear(Event into);
}
