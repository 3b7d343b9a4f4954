package org.panamaverbs.iwarp.engine;

import java.lang.ref.WeakReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.engine.device.WaitPoint;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;

/** Who makes progress with the streams of a context when nobody polls: the event loop, or nobody. Any thread. */
public interface Progress {
    /** Tells whether the event loop serves streams. */
    boolean isBackground();

    /** Makes progress with the streams that have something; returns false if this thread cannot now. */
    boolean ofAll();

    /**
     * Watches the socket of a stream for threads that poll many of them; null where the event loop watches it anyway,
     * or where the system cannot now and {@link #ofAll} polls the stream instead.
     */
    @Nullable
    Watch findWithOthers(Pollable channel, StreamDriver stream);

    /** Hears that the channel of a stream was closed. */
    void closed();

    /**
     * Waits until {@code done}, which is called with {@code point} locked and must be short; {@code own} makes progress
     * with what is waited for, where this thread has to.
     *
     * @return false if the deadline passed before
     * @throws InterruptedException if the thread is interrupted before or meanwhile; the flag is cleared then
     */
    boolean await(WaitPoint point, BooleanSupplier done, Deadline deadline, Runnable own) throws InterruptedException;

    /**
     * Waits so for an event of the device.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile; the flag is cleared then
     */
    boolean awaitEvent(WaitPoint point, BooleanSupplier done, Deadline deadline) throws InterruptedException;

    /**
     * Waits so for a completion: what wakes the event loop up is most often what this thread waits for, so that it
     * takes the loop's place where it can, or sleeps at {@code rings}, where all of them come through these.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile; the flag is cleared then
     */
    boolean awaitCompletion(WaitPoint point, BooleanSupplier done, Deadline deadline, RingSleep rings)
            throws InterruptedException;

    /**
     * Has waits call {@code drive}, which makes progress with the streams of one completion queue, where they must. The
     * queue keeps it: a drive that is gone was a lost queue's.
     */
    void add(WeakReference<Runnable> drive);

    /** Has waits call {@code drive} no longer. Needs no memory. */
    void remove(WeakReference<Runnable> drive);

    /** Closes what it watches; the event loop is over. */
    void close();
}
