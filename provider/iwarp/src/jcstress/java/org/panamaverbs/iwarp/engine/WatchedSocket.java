package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/** A channel that always has room, and the watch of the event loop over it as a stream has one. */
final class WatchedSocket implements EventLoop.Handler {
    static final WatchedSocket FIRST = new WatchedSocket();
    static final WatchedSocket SECOND = new WatchedSocket();

    private final LoopWatch watch = new LoopWatch(Fixture.VERBS.loop(), this);
    private final Pipe pipe;
    private volatile boolean begun;
    private @Nullable Runnable action;

    private WatchedSocket() {
        try {
            pipe = Pipe.open();
            pipe.sink().configureBlocking(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Fixture.VERBS.loop().execute(this::begin);
    }

    private void begin() {
        try {
            watch.begin(Fixture.VERBS.loop().register(pipe.sink(), 0, this));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        begun = true;
    }

    /** Has the loop run {@code once} when there is room, which is now. */
    void whenWritable(Runnable once) {
        if (!Fixture.await(() -> begun)) {
            throw new IllegalStateException("the event loop does not run");
        }
        synchronized (this) {
            action = once;
            watch.channel(false, true);
        }
    }

    @Override
    public synchronized void ready(SelectionKey key, long now) {
        Runnable once = action;
        if (once != null) {
            action = null;
            watch.channel(false, false);
            once.run();
        }
    }

    @Override
    public long deadlineNanos() {
        return watch.deadlineNanos();
    }

    @Override
    public void timeout(long now) {
        throw new IllegalStateException("there is no timer");
    }

    @Override
    public void failed(Throwable cause) {
        throw new IllegalStateException(cause);
    }
}
