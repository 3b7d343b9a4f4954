package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;

/** What a socket adaptor needs of its channel. */
abstract class AdaptedSocketChannel extends SocketChannel {
    AdaptedSocketChannel(SelectorProvider provider) {
        super(provider);
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
     * @param wait whether to wait for the first octet
     * @param nanos how long to wait at most, negative for ever
     * @return octets read, -1 at the end, 0 if none came in time
     */
    abstract int read(ByteBuffer target, boolean wait, long nanos) throws IOException;

    /** Returns the peer's address, also of a channel that is closed; null if it was never connected. */
    abstract @Nullable InetSocketAddress remote();

    /** Returns the local address; otherwise as {@link #remote}. */
    abstract @Nullable InetSocketAddress local();

    abstract boolean isInputShut();

    abstract boolean isOutputShut();
}
