package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.TcpSocket;

/** TCP alone: nothing is copied or kept. */
public class TcpTransport extends SocketTransport {
    private boolean blocked;

    /**
     * Makes a transport over {@code socket}; {@code sockets} is the clause of {@link #text} that says how TCP is
     * reached.
     */
    public TcpTransport(TcpSocket socket, String sockets) {
        super(socket, sockets);
    }

    @Override
    public int open(Runnable again) throws IOException {
        return OPEN;
    }

    @Override
    public void established() {
        // Any bytes are as good as others.
    }

    @Override
    public long read(IoVector into) throws IOException {
        return socket.read(into);
    }

    @Override
    public void write(IoVector from) throws IOException {
        blocked = false;
        socket.write(from);
        blocked = from.hasRemaining();
    }

    @Override
    public boolean writesWithoutOctets() {
        return false;
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
