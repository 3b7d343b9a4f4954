package org.panamaverbs.iwarp.engine.progress;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.WaitPoint;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.memory.stack.StackRoom;

/** Only threads that poll make progress, and who waits polls meanwhile. */
public final class SpinProgress implements Progress {
    private final ReadyStreams readyStreams;
    // Removing from it needs no memory.
    private final Set<WeakReference<Runnable>> drives = ConcurrentHashMap.newKeySet();
    private final Consumer<WeakReference<Runnable>> driving = this::drive;
    private final Runnable drivingAll = this::driveAll;

    public SpinProgress(Sockets sockets, EventLoop loop) {
        readyStreams = new ReadyStreams(sockets, loop);
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
    public Watch findWithOthers(Pollable channel, PolledStream stream) throws IOException {
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
        StackRoom.require();
        return WaitPoint.spin(done, deadline, drivingAll);
    }

    @Override
    public boolean awaitCompletion(WaitPoint point, BooleanSupplier done, Deadline deadline)
            throws InterruptedException {
        StackRoom.require();
        return WaitPoint.spin(done, deadline, drivingAll);
    }

    // It drives streams of others, too, which must not meet the end of this stack: hence the question for room.
    private void driveAll() {
        drives.forEach(driving);
    }

    private void drive(WeakReference<Runnable> drive) {
        Runnable ofQueue = drive.get();
        if (ofQueue == null) {
            drives.remove(drive);
        } else {
            ofQueue.run();
        }
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
