package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.io.IoVector;
import org.panamaverbs.iwarp.net.TcpSocket;

/**
 * What carries the octets of a connection: TCP, or TLS over it. Nothing blocks. Belongs to the event loop while the
 * connection is set up, then to the holder of the stream's lock.
 */
public interface Transport {
    /** What {@link #open} answers when it is open. */
    int OPEN = -1;

    /** Returns the socket, to be watched and asked for addresses; octets go through the transport alone. */
    TcpSocket socket();

    /**
     * Sets it up as far as possible now, on a socket that is connected.
     *
     * @param again is run on the event loop's thread if the answer is 0, when it is time to call again
     * @return {@link #OPEN}, or the readiness of the socket to wait for, or 0 to wait for {@code again}
     */
    int open(Runnable again) throws IOException;

    /** The set-up of the connection is over: from now on the peer sends FPDUs. */
    void established();

    /**
     * Receives as much as is there and fits; a failure behind some octets is thrown by the next call.
     *
     * @return the octets, 0 if there are none, negative at the end of the stream
     */
    long read(IoVector into) throws IOException;

    /** Receives into one buffer. */
    default int read(ByteBuffer into) throws IOException {
        return (int) read(IoVector.of(into));
    }

    /** Tells whether {@link #read} has something to say of which the socket's readiness does not tell. */
    boolean hasInput();

    /**
     * Tells whether {@link #read} takes nothing more before the channel has room for an answer, whatever its readiness
     * says. Then {@link #isBlocked} holds as well.
     */
    boolean isInputHeld();

    /**
     * Sends what was taken before, then takes as much of the buffers as can be sent now, and counts it there, also if
     * it fails.
     */
    void write(IoVector from) throws IOException;

    /** Sends from one buffer. */
    default void write(ByteBuffer from) throws IOException {
        write(IoVector.of(from));
    }

    /** Sends what was taken but not sent so far; returns whether nothing of that is left. */
    boolean flush() throws IOException;

    /** Tells whether the last {@link #write} or {@link #flush} has to wait for room in the socket. */
    boolean isBlocked();

    /**
     * Ends this side's octets; returns whether the peer will see it, or it has to be called again when there is room.
     */
    boolean shutdownOutput() throws IOException;

    /** Closes the socket, with a reset if {@code reset}. */
    void close(boolean reset);

    /** Returns the TLS session once it is open, null without TLS. */
    @Nullable
    SSLSession session();
}
