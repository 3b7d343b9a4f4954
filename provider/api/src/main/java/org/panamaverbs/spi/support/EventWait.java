package org.panamaverbs.spi.support;

import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.Deadline;

/** How a provider waits for the members of an event queue. */
public interface EventWait extends AutoCloseable {
    /**
     * Waits until {@code done} holds or {@link #wake} is called; may return early. First checks members that cannot
     * signal by themselves.
     *
     * @param done a short condition, which may be called under a lock of this wait
     * @param deadline until when to wait
     * @throws InterruptedException if the thread is interrupted before or during the wait; its interrupt flag is
     *     cleared
     */
    void await(BooleanSupplier done, Deadline deadline) throws InterruptedException;

    /** Checks members that cannot signal by themselves, such as file descriptors, without waiting. */
    void look();

    /** Ends the current wait, if any, so that it evaluates {@code done}. Any thread; needs no memory. */
    void wake();

    /** Returns whether it waits for members of any device of the provider, not only the one that created the queue. */
    default boolean servesAllDevices() {
        return false;
    }

    /** Reports a new member, whose readiness is {@code member.readiness()}. */
    void added(EventMember member);

    /** Reports that a member was removed; possibly several times. */
    void removed(EventMember member);

    /** Returns the file descriptor of the event queue, empty if there is none. */
    OptionalInt fileDescriptor();

    /** Frees its resources; no thread waits any more. */
    @Override
    void close();
}
