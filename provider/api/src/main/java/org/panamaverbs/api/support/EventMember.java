package org.panamaverbs.api.support;

import org.panamaverbs.api.Event;
import org.panamaverbs.memory.ManagedResource;

/** What an event queue can wait for: objects of a provider are it beside what they are in the API. */
public interface EventMember {
    /** An open device whose asynchronous events can be a member of another device's event queues. */
    interface Source {
        /** Returns its asynchronous events, as a member. */
        EventMember asyncEvents();
    }

    /** What {@link #take} has found. */
    enum Taken {
        /** There is no event now. */
        NOTHING,
        /** An event was taken; there may be more. */
        ONE,
        /** An event was taken, and there will be none any more. */
        LAST
    }

    /** Returns what says that there may be an event. */
    Readiness readiness();

    /**
     * Takes an event, if there is one, and says into {@code event} which. Does not wait. If it throws nothing was
     * taken. Called by one thread at a time.
     */
    Taken take(Event event);

    /** Returns the device that it is of. */
    ManagedResource device();

    /** Tells whether it is neither closed nor being closed. */
    boolean isOpen();

    /**
     * Tells whether an event may be there of which {@link #readiness} could not tell, for lack of memory. It is asked
     * now and then.
     */
    default boolean mayHaveMissed() {
        return false;
    }
}
