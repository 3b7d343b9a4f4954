package org.panamaverbs.iwarp.engine;

import java.lang.ref.WeakReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.WaitPoint;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.Watch;

/** Only threads that poll make progress, and who waits polls meanwhile. */
final class SpinProgress implements Progress {
    // Made once: a wait allocates nothing.
    private static final Predicate<Runnable> RUN = SpinProgress::run;

    private final WeakList<Runnable> drives = new WeakList<>();
    private final Runnable drivingAll = this::driveAll;

    private final ReadyStreams readyStreams;

    public SpinProgress(Sockets sockets, EventLoop loop) {
        readyStreams = new ReadyStreams(sockets, loop);
    }

    private static boolean run(Runnable drive) {
        drive.run();
        return true;
    }

    private void driveAll() {
        drives.all(RUN);
    }

    @Override
    public boolean isBackground() {
        return false;
    }

    @Override
    public boolean ofAll() {
        readyStreams.turn();
        return true;
    }

    @Override
    public @Nullable Watch findWithOthers(Pollable channel, StreamDriver stream) {
        return readyStreams.register(channel, stream);
    }

    @Override
    public void closed() {
        readyStreams.closed();
    }

    @Override
    public boolean await(WaitPoint point, BooleanSupplier done, Deadline deadline, Runnable own)
            throws InterruptedException {
        return WaitPoint.spin(done, deadline, own);
    }

    @Override
    public boolean awaitEvent(WaitPoint point, BooleanSupplier done, Deadline deadline) throws InterruptedException {
        return WaitPoint.spin(done, deadline, drivingAll);
    }

    @Override
    public boolean awaitCompletion(WaitPoint point, BooleanSupplier done, Deadline deadline, RingSleep rings)
            throws InterruptedException {
        return WaitPoint.spin(done, deadline, drivingAll);
    }

    @Override
    public void add(WeakReference<Runnable> drive) {
        drives.add(drive);
    }

    @Override
    public void remove(WeakReference<Runnable> drive) {
        drives.remove(drive);
    }

    @Override
    public void close() {
        readyStreams.close();
    }
}
