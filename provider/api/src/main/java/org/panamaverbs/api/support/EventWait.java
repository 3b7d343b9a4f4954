package org.panamaverbs.api.support;

import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.Deadline;

/** How a provider waits for the members of an event queue. */
public interface EventWait extends AutoCloseable {
    /**
     * Waits until {@code done}, which is short and may be called under a lock of the wait's own, or {@link #wake}.
     * Looks at once whether members have something that they cannot tell by themselves. May return early.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile; its flag is cleared then
     */
    void await(BooleanSupplier done, Deadline deadline) throws InterruptedException;

    /** Has members that cannot tell by themselves, as file descriptors cannot, looked at. Does not wait. */
    void look();

    /** Ends the wait under way, if there is one, as {@code done} may hold. Any thread; needs no memory. */
    void wake();

    /** Tells whether it waits for members of any device of the provider, not only of the one that made the queue. */
    default boolean servesAllDevices() {
        return false;
    }

    /** Hears of a new member, whose readiness is {@code member.readiness()}. */
    void added(EventMember member);

    /** Hears that it is one no longer; more than once, it may be. */
    void removed(EventMember member);

    /** Returns the descriptor of the event queue, empty without. */
    OptionalInt fileDescriptor();

    /** Gives back what it has; nobody waits any more. */
    @Override
    void close();
}
