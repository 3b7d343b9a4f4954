package org.panamaverbs.iwarp.engine;

import java.lang.ref.WeakReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.WaitPoint;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Watch;

/** The event loop makes progress, and who waits sleeps or takes its place. */
final class BackgroundProgress implements Progress {
    private final EventLoop loop;

    BackgroundProgress(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public boolean isBackground() {
        return true;
    }

    @Override
    public boolean ofAll() {
        return loop.turnIfFree();
    }

    @Override
    public @Nullable Watch findWithOthers(Pollable channel, StreamDriver stream) {
        return null;
    }

    @Override
    public void closed() {
        // The loop finds out by itself.
    }

    @Override
    public boolean await(WaitPoint point, BooleanSupplier done, Deadline deadline, Runnable own)
            throws InterruptedException {
        return point.sleepInterruptibly(done, deadline);
    }

    @Override
    public boolean awaitEvent(WaitPoint point, BooleanSupplier done, Deadline deadline) throws InterruptedException {
        return point.sleepInterruptibly(done, deadline);
    }

    @Override
    public boolean awaitCompletion(WaitPoint point, BooleanSupplier done, Deadline deadline, RingSleep rings)
            throws InterruptedException {
        if (!deadline.passed()) {
            if (point.awaitDriving(done, deadline, rings)) {
                return true;
            }
            if (deadline.passed()) {
                return false;
            }
        }
        return point.awaitDriving(done, deadline, loop) || point.sleepInterruptibly(done, deadline);
    }

    @Override
    public void add(WeakReference<Runnable> drive) {
        // Nobody needs to drive it.
    }

    @Override
    public void remove(WeakReference<Runnable> drive) {
        // Nobody drives it.
    }

    @Override
    public void close() {
        // The loop is the context's.
    }
}
