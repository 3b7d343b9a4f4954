package org.panamaverbs.sockets.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;

/** What a server socket adaptor needs of its channel. */
abstract class AdaptedServerSocketChannel extends ServerSocketChannel {
    AdaptedServerSocketChannel(SelectorProvider provider) {
        super(provider);
    }

    /**
     * Accepts.
     *
     * @param wait whether to wait for a peer
     * @param nanos how long to wait at most, negative for ever
     * @return null if none came in time
     */
    abstract @Nullable SocketChannel accept(boolean wait, long nanos) throws IOException;

    /** Returns where it listens, also when it is closed; null if it never did. */
    abstract @Nullable InetSocketAddress local();
}
