package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.sockets.stream.StreamObserver;

/** What our channels that connect have in common, and what a socket adaptor needs of them. */
abstract class AdaptedSocketChannel extends SocketChannel implements ReadyChannel {
    /** Who is told when it may be ready. */
    final Keys keys = new Keys();

    /** Guarded by the keys. */
    private @Nullable Socket adaptor;

    AdaptedSocketChannel(SelectorProvider provider) {
        super(provider);
    }

    @Override
    public final Socket socket() {
        synchronized (keys) {
            if (adaptor == null) {
                adaptor = makeAdaptor();
            }
            return adaptor;
        }
    }

    /** Makes the adaptor that {@link #socket} returns. */
    abstract Socket makeAdaptor();

    final void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public final @Nullable SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        return remote();
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
     * Connects, and closes the channel if that fails.
     *
     * @param wait whether to wait until it is connected
     * @param nanos how long to wait at most, negative for ever
     * @throws SocketTimeoutException if it was not connected in time
     */
    abstract boolean connect(SocketAddress remote, boolean wait, long nanos) throws IOException;

    /**
     * Reads.
     *
     * @param wait whether to wait for the first byte
     * @param nanos how long to wait at most, negative for ever
     * @return bytes read, -1 at the end, 0 if none came in time
     */
    abstract int read(ByteBuffer target, boolean wait, long nanos) throws IOException;

    /**
     * Waits until an operation of a channel that does not block may do something, or the channel is closed. May return
     * early; an interrupt ends it, and closes nothing.
     *
     * @param interest one operation of a selection key
     * @param nanos how long to wait at most, negative for ever
     */
    abstract void await(int interest, long nanos) throws IOException;

    /** Tells whether a connection to {@code remote}, whose name may not be looked up yet, has to go by RDMA. */
    abstract boolean requiresRdma(InetSocketAddress remote);

    /** Closes the channel, and waits for what {@code SO_LINGER} leaves time for, as a channel that blocks does. */
    abstract void closeLingering() throws IOException;

    /** Returns how many bytes can be read without waiting, of a channel that is connected. */
    abstract int available() throws IOException;

    /**
     * Checks that it is connected.
     *
     * @throws ClosedChannelException if it is closed
     * @throws NotYetConnectedException if it is not connected
     */
    final void requireConnected() throws ClosedChannelException {
        requireOpen();
        if (!isConnected()) {
            throw new NotYetConnectedException();
        }
    }

    /** Returns the JDK's channel that this one has become; null if it is RDMA's, or undecided. */
    @Nullable
    SocketChannel tcp() {
        return null;
    }

    /** Returns the peer's address, also of a channel that is closed; null if it was never connected. */
    abstract @Nullable InetSocketAddress remote();

    /** Returns the local address; otherwise as {@link #remote}. */
    abstract @Nullable InetSocketAddress local();

    abstract boolean isInputShut();

    abstract boolean isOutputShut();
}
