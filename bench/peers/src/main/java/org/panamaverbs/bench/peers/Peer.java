package org.panamaverbs.bench.peers;

import java.io.IOException;

/** One side of a measurement over what others offer. Used by one thread; closed by it. */
interface Peer extends AutoCloseable {

    /** Opens a port of the loopback for one client, or what stands for one on this host, and returns it. */
    int listen() throws Exception;

    /** Answers the client of {@link #listen} to its end. */
    void serve() throws Exception;

    /**
     * Measures against the server at {@code port}, which it got of {@link #listen}.
     *
     * @throws WrongOctetsException if something else arrived than was sent
     */
    Outcome measure(int port) throws Exception;

    @Override
    void close() throws IOException;

    /** What arrived is not what was sent. */
    final class WrongOctetsException extends RuntimeException {
        private static final long serialVersionUID = 1;

        WrongOctetsException(String text) {
            super(text);
        }
    }
}
