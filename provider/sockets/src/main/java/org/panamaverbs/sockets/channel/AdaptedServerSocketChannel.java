package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.sockets.stream.StreamObserver;

/** What our channels that listen have in common, and what a server socket adaptor needs of them. */
abstract class AdaptedServerSocketChannel extends ServerSocketChannel implements ReadyChannel {
    /** Who is told when it may be ready. */
    final Keys keys = new Keys();

    /** Guarded by the keys. */
    private @Nullable ServerSocket adaptor;

    AdaptedServerSocketChannel(SelectorProvider provider) {
        super(provider);
    }

    @Override
    public final ServerSocket socket() {
        synchronized (keys) {
            if (adaptor == null) {
                adaptor = makeAdaptor();
            }
            return adaptor;
        }
    }

    /** Makes the adaptor that {@link #socket} returns. */
    abstract ServerSocket makeAdaptor();

    final void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public final @Nullable SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return local();
    }

    @Override
    public final void addKey(StreamObserver key) {
        keys.add(key);
    }

    @Override
    public final void removeKey(StreamObserver key) {
        keys.remove(key);
    }

    /**
     * Accepts.
     *
     * @param wait whether to wait for a peer
     * @param nanos how long to wait at most, negative for ever
     * @return null if none came in time
     */
    abstract @Nullable SocketChannel accept(boolean wait, long nanos) throws IOException;

    /**
     * Waits until a channel that does not block may accept, or is closed. May return early; an interrupt ends it, and
     * closes nothing.
     *
     * @param nanos how long to wait at most, negative for ever
     */
    abstract void await(long nanos) throws IOException;

    /** Returns what was accepted as a channel of ours. */
    AdaptedSocketChannel adapted(SocketChannel accepted) throws IOException {
        return (AdaptedSocketChannel) accepted;
    }

    /** Returns where it listens, also when it is closed; null if it never did. */
    abstract @Nullable InetSocketAddress local();
}
