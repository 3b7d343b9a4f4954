package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** TCP alone: each read and each buffer written is one system call, nothing is copied or kept. */
final class TcpTransport implements Transport {
    private final SocketChannel channel;
    private long written;
    private boolean blocked;

    TcpTransport(SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public SocketChannel channel() {
        return channel;
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
    public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
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
    public void write(ByteBuffer[] from, int first, int end) throws IOException {
        written = 0;
        blocked = false;
        // One buffer a call: the form for several allocates for each that views registered memory.
        for (int i = first; i < end && !blocked; i++) {
            written += channel.write(from[i]);
            blocked = from[i].hasRemaining();
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
        channel.shutdownOutput();
        return true;
    }

    @Override
    public void close(boolean reset) {
        close(channel, reset);
    }

    @Override
    public @Nullable SSLSession session() {
        return null;
    }

    /** Closes {@code channel}; what goes wrong with that is of no use to anybody. */
    static void close(SocketChannel channel, boolean reset) {
        // try-with-resources closes also where the peer was faster and there is nothing left to reset.
        try (channel) {
            if (reset) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            System.getLogger(TcpTransport.class.getName())
                    .log(System.Logger.Level.DEBUG, "a socket did not close cleanly", e);
        }
    }
}
