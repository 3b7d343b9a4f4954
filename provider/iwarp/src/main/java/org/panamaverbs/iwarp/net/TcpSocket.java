package org.panamaverbs.iwarp.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.panamaverbs.iwarp.iovec.IoVector;

/** A TCP connection, with TCP_NODELAY, that never waits. Used by one thread at a time. */
public interface TcpSocket extends Pollable {
    /** Binds the socket to an address of this machine. */
    void bind(InetSocketAddress local) throws IOException;

    /** Says how TCP finds out that an idle peer is gone. */
    void keepalive(Keepalive keepalive) throws IOException;

    /** Sets the byte that IPv4 calls type of service and IPv6 traffic class. */
    void typeOfService(int octet) throws IOException;

    /** Begins to connect; true if it is done already. */
    boolean connect(InetSocketAddress peer) throws IOException;

    /** Tells whether the attempt to connect has succeeded; false if it goes on. */
    boolean finishConnect() throws IOException;

    /** Returns the address of this side. */
    InetSocketAddress localAddress() throws IOException;

    /** Returns the peer's address. */
    InetSocketAddress remoteAddress() throws IOException;

    /**
     * Receives what is there and fits.
     *
     * @return the bytes, 0 if there are none, negative at the end of the stream
     */
    int read(ByteBuffer into) throws IOException;

    /**
     * Receives what is there and fits into the buffers, and moves their positions on.
     *
     * @return the bytes, 0 if there are none, negative at the end of the stream
     */
    long read(IoVector into) throws IOException;

    /**
     * Sends as much of the buffer as there is room for, and moves its position on.
     *
     * @return the bytes; if some are left over there was no room for them
     */
    int write(ByteBuffer from) throws IOException;

    /**
     * Sends as much of the buffers as there is room for, and moves their positions on.
     *
     * @return the bytes; if some are left over there was no room for them
     */
    long write(IoVector from) throws IOException;

    /** Returns how many bytes TCP puts into one segment, as of now; 0 where the system does not say. */
    default int segmentBytes() throws IOException {
        return 0;
    }

    /** What {@link #unacknowledged} answers where the system does not say. */
    long UNKNOWN = -1;

    /**
     * Returns how many bytes were sent that the peer's TCP has not acknowledged, a FIN counted as one; or
     * {@link #UNKNOWN}.
     *
     * @throws IOException if some are left that will never be: the connection has failed
     */
    default long unacknowledged() throws IOException {
        return UNKNOWN;
    }

    /** Sends a FIN behind what was sent. */
    void shutdownOutput() throws IOException;

    /** Closes the socket, with a RST in place of a FIN if {@code reset}; what goes wrong with that is only logged. */
    void close(boolean reset);

    @Override
    default void close() {
        close(false);
    }
}
