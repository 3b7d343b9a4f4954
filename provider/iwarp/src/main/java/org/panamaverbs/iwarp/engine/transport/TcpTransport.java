package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.TcpSocket;

/** TCP alone: nothing is copied or kept. */
public final class TcpTransport implements Transport {
    private final TcpSocket socket;
    private long written;
    private boolean blocked;

    public TcpTransport(TcpSocket socket) {
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
    public long read(ByteBuffer[] into, MemorySegment[] memory, int count) throws IOException {
        return socket.read(into, memory, count);
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
    public void write(ByteBuffer[] from, MemorySegment[] memory, int first, int end) throws IOException {
        written = 0;
        blocked = false;
        if (end > first) {
            written = socket.write(from, memory, first, end);
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
