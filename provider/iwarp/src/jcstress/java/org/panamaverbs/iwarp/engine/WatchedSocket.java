package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.engine.device.LoopHandler;
import org.panamaverbs.iwarp.engine.device.LoopTimer;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;

/** A socket that always has room, and the watch of the event loop over it as a stream has one. */
final class WatchedSocket implements LoopHandler {
    static final WatchedSocket FIRST = new WatchedSocket();
    static final WatchedSocket SECOND = new WatchedSocket();

    private final LoopTimer timer = new LoopTimer();
    private final LoopWatch watch = new LoopWatch(Fixture.VERBS.context().loop(), this);
    private final TcpSocket socket;
    private final SocketChannel peer;
    private volatile boolean begun;
    private @Nullable Runnable action;

    private WatchedSocket() {
        try (ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            socket = SystemSockets.best().open(false);
            socket.connect((InetSocketAddress) listener.getLocalAddress());
            peer = listener.accept();
            if (!socket.finishConnect()) {
                throw new IOException("accepted, and not connected");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Fixture.VERBS.context().loop().execute(this::begin);
    }

    private void begin() {
        try {
            watch.begin(Fixture.VERBS.context().loop().register(socket, 0, this));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        begun = true;
    }

    /** Has the loop run {@code once} when there is room, which is now. */
    void whenWritable(Runnable once) {
        if (!Fixture.await(() -> begun && peer.isOpen())) {
            throw new IllegalStateException("the event loop does not run, or the connection is gone");
        }
        synchronized (this) {
            action = once;
            watch.channel(Watch.WRITE);
        }
    }

    @Override
    public synchronized void ready(Watch of, long now) {
        Runnable once = action;
        if (once != null) {
            action = null;
            watch.channel(0);
            once.run();
        }
    }

    @Override
    public LoopTimer timer() {
        return timer;
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
