package org.panamaverbs.spi.support;

import org.panamaverbs.api.Event;
import org.panamaverbs.memory.ManagedResource;

/** An object that an event queue can wait for; implemented by a provider's objects besides their API interface. */
public interface EventMember {
    /** An open device whose asynchronous events can be a member of another device's event queue. */
    interface Source {
        /** Returns the asynchronous events as a member. */
        EventMember asyncEvents();
    }

    /** The result of {@link #take}. */
    enum Taken {
        /** No event. */
        NOTHING,
        /** An event was taken, more may follow. */
        ONE,
        /** An event was taken, no other will follow. */
        LAST
    }

    /** Returns the readiness that signals events. */
    Readiness readiness();

    /**
     * Takes an event into {@code event}, if there is one, without waiting. If it throws, no event was taken. Called by
     * one thread at a time.
     */
    Taken take(Event event);

    /** Returns the device of the object. */
    ManagedResource device();

    /** Returns whether the object is neither closed nor being closed. */
    boolean isOpen();

    /**
     * Returns whether there may be an event that {@link #readiness} could not signal for lack of memory. Polled from
     * time to time.
     */
    default boolean mayHaveMissed() {
        return false;
    }
}
