package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.TcpSocket;

/** TCP alone: nothing is copied or kept. */
final class TcpTransport implements Transport {
    private final TcpSocket socket;
    private long written;
    private boolean blocked;

    TcpTransport(TcpSocket socket) {
        this.socket = socket;
    }

    @Override
    public TcpSocket socket() {
        return socket;
    }

    @Override
    public int open(Runnable again) {
        return OPEN;
    }

    @Override
    public void established() {
        // Any octets are as good as others.
    }

    @Override
    public long read(ByteBuffer[] into, long[] bases, int count) throws IOException {
        return socket.read(into, bases, count);
    }

    @Override
    public boolean hasInput() {
        return false;
    }

    @Override
    public boolean isInputHeld() {
        return false;
    }

    @Override
    public void write(ByteBuffer[] from, long[] bases, int first, int end) throws IOException {
        written = 0;
        blocked = false;
        if (end > first) {
            written = socket.write(from, bases, first, end);
            blocked = from[end - 1].hasRemaining();
        }
    }

    @Override
    public long written() {
        return written;
    }

    @Override
    public boolean flush() {
        return true;
    }

    @Override
    public boolean isBlocked() {
        return blocked;
    }

    @Override
    public boolean shutdownOutput() throws IOException {
        socket.shutdownOutput();
        return true;
    }

    @Override
    public void close(boolean reset) {
        socket.close(reset);
    }

    @Override
    public @Nullable SSLSession session() {
        return null;
    }
}
