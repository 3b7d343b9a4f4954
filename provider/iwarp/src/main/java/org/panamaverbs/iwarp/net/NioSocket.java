package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.spi.support.DeferredLog;

/** A connection of NIO: each read and each buffer written is one system call, nothing is copied or kept. */
final class NioSocket implements TcpSocket, NioChannel {
    private final SocketChannel channel;

    private NioSocket(SocketChannel channel) {
        this.channel = channel;
    }

    /** Takes {@code channel} over. */
    static NioSocket of(SocketChannel channel) throws IOException {
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new NioSocket(channel);
        } catch (IOException | RuntimeException | Error e) {
            NioChannel.close(channel);
            throw e;
        }
    }

    @Override
    public SocketChannel channel() {
        return channel;
    }

    @Override
    public void bind(InetSocketAddress local) throws IOException {
        channel.bind(local);
    }

    @Override
    public void keepalive(Keepalive keepalive) throws IOException {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, keepalive.enabled());
        if (keepalive.enabled()) {
            set(ExtendedSocketOptions.TCP_KEEPIDLE, keepalive.idleSeconds());
            set(ExtendedSocketOptions.TCP_KEEPINTERVAL, keepalive.intervalSeconds());
            set(ExtendedSocketOptions.TCP_KEEPCOUNT, keepalive.count());
        }
    }

    private void set(SocketOption<Integer> option, int value) throws IOException {
        if (channel.supportedOptions().contains(option)) {
            channel.setOption(option, value);
        }
    }

    @Override
    public void typeOfService(int octet) throws IOException {
        channel.setOption(StandardSocketOptions.IP_TOS, octet);
    }

    @Override
    public boolean connect(InetSocketAddress peer) throws IOException {
        return channel.connect(peer);
    }

    @Override
    public boolean finishConnect() throws IOException {
        return channel.finishConnect();
    }

    @Override
    public InetSocketAddress localAddress() throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() throws IOException {
        return (InetSocketAddress) channel.getRemoteAddress();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    @Override
    public long read(IoVector into) throws IOException {
        into.begin();
        // One buffer a call, as below.
        for (int i = into.first(); i < into.end(); i++) {
            int some;
            try {
                some = channel.read(into.buffer(i));
            } catch (IOException e) {
                if (into.moved() > 0) {
                    // The next call fails as well.
                    return into.moved();
                }
                throw e;
            } catch (IllegalStateException e) {
                some = afterClosing(into.memory(i), e);
            }
            if (some < 0) {
                return into.moved() == 0 ? some : into.moved();
            }
            into.count(some);
            if (into.buffer(i).hasRemaining()) {
                break;
            }
        }
        return into.moved();
    }

    // Its owner has closed it: as if nothing could be moved now. The next pass refuses the memory.
    private static int afterClosing(MemorySegment memory, IllegalStateException thrown) {
        if (memory.scope().isAlive()) {
            throw thrown;
        }
        return 0;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return channel.write(from);
    }

    @Override
    public long write(IoVector from) throws IOException {
        from.begin();
        // One buffer a call: the form for several allocates for each that views registered memory.
        for (int i = from.first(); i < from.end(); i++) {
            try {
                from.count(channel.write(from.buffer(i)));
            } catch (IllegalStateException e) {
                from.count(afterClosing(from.memory(i), e));
            }
            if (from.buffer(i).hasRemaining()) {
                break;
            }
        }
        return from.moved();
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close(boolean reset) {
        // try-with-resources closes also where the peer was faster and there is nothing left to reset.
        try (channel) {
            if (reset) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            DeferredLog.log(NioSocket.class, System.Logger.Level.DEBUG, "a socket did not close cleanly", e);
        }
    }
}
