package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.CloseAction;
import org.panamaverbs.iwarp.core.Staging;
import org.panamaverbs.iwarp.core.Stream;
import org.panamaverbs.iwarp.core.StreamState;
import org.panamaverbs.iwarp.net.TcpSocket;

/**
 * The transport of one stream: moves octets between the two, and closes as the stream asks. Under the stream's lock.
 */
final class StreamSocket {
    // They bound one pass, so that one busy stream does not starve the others of the thread.
    private static final int ROUNDS = 64;
    private static final int BATCHES = 16;
    private static final long SENT_OCTETS = 8 << 20;

    private static final ThreadLocal<Staging> STAGING = ThreadLocal.withInitial(() -> new Staging(Staging.BYTES));

    private final Stream stream;
    private @Nullable Transport transport;
    private boolean inputPaused;
    private boolean outputBlocked;
    private boolean shuttingOutput;
    private boolean endWithheld;
    private long sentOctets;

    StreamSocket(Stream stream) {
        this.stream = stream;
    }

    /** Takes a transport over. */
    void open(Transport connected) {
        transport = connected;
        connected.established();
    }

    /** Returns what is watched, null without a connection. */
    @Nullable
    TcpSocket channel() {
        Transport open = transport;
        return open == null ? null : open.socket();
    }

    /**
     * Tells whether nothing is taken from the peer for now: the stream wants nothing, or the transport has to answer
     * first and cannot. The channel stays ready meanwhile: who watched it would spin for as long as the peer likes.
     */
    boolean inputPaused() {
        Transport from = transport;
        return inputPaused || (from != null && from.isInputHeld());
    }

    /** Tells whether there is more to receive of which the channel's readiness does not tell. */
    boolean hasInput() {
        Transport from = transport;
        return from != null && !inputPaused && from.hasInput();
    }

    /** Tells whether something is left to be sent. */
    boolean outputBlocked() {
        return outputBlocked;
    }

    /**
     * Receives and sends until nothing moves, at most {@link #ROUNDS} times, and only once more after
     * {@link #SENT_OCTETS}.
     */
    void exchange(long now) {
        boolean more = transport != null;
        sentOctets = 0;
        for (int round = 0; more && round < ROUNDS; round++) {
            boolean filled = receive(now);
            boolean wasPaused = inputPaused;
            boolean sent = transmit(now);
            more = (filled || (wasPaused && sent)) && sentOctets < SENT_OCTETS;
        }
    }

    /** Receives once; returns whether there may be more. */
    private boolean receive(long now) {
        Transport from = transport;
        if (from == null) {
            return false;
        }
        ByteBuffer[] buffers = stream.receiveBuffers(STAGING.get());
        int count = stream.receiveBufferCount();
        inputPaused = count == 0;
        long octets = 0;
        IOException failure = null;
        boolean filled = false;
        try {
            if (count > 0) {
                octets = from.read(buffers, stream.receiveBases(), count);
                filled = octets > 0 && !buffers[count - 1].hasRemaining();
            }
        } catch (IOException e) {
            failure = e;
        } finally {
            stream.received(Math.max(octets, 0), now);
        }
        if (failure != null) {
            stream.lost(SocketErrors.lost(failure), SocketErrors.message(failure), now);
        } else if (octets < 0) {
            inputPaused = true;
            end(now);
        }
        return filled;
    }

    // The stream would have the channel closed at once, with the end of this side's octets still to be sent.
    private void end(long now) {
        endWithheld = shuttingOutput;
        if (!endWithheld) {
            stream.endOfStream(now);
        }
    }

    /**
     * Sends until nothing is left or the socket is full, at most {@link #BATCHES} times; returns whether anything went.
     */
    boolean transmit(long now) {
        Transport to = transport;
        if (to == null) {
            return false;
        }
        boolean sent = false;
        outputBlocked = false;
        for (int batch = 0; batch < BATCHES && stream.state() != StreamState.CLOSED; batch++) {
            ByteBuffer[] buffers = stream.transmitBuffers(now);
            int from = stream.transmitBufferOffset();
            int end = from + stream.transmitBufferCount();
            IOException failure = null;
            try {
                to.write(buffers, stream.transmitBases(), from, end);
                outputBlocked = to.isBlocked();
            } catch (IOException e) {
                failure = e;
            } finally {
                stream.transmitted(to.written(), now);
            }
            sent |= to.written() > 0;
            sentOctets += to.written();
            if (failure != null) {
                stream.lost(SocketErrors.lost(failure), SocketErrors.message(failure), now);
                return sent;
            }
            if (end == from || outputBlocked) {
                return sent;
            }
        }
        outputBlocked = stream.wantsTransmit();
        return sent;
    }

    /** Closes as far as the stream asks for it; returns whether the channel was closed. */
    boolean close(long now) {
        boolean wasOpen = transport != null;
        for (CloseAction action = stream.closeAction(); action != CloseAction.NONE; action = stream.closeAction()) {
            if (action != CloseAction.SHUTDOWN_OUTPUT) {
                closeTransport(action == CloseAction.ABORT);
                stream.closed(now);
            } else if (!shutdownOutput(now)) {
                break;
            }
        }
        return wasOpen && transport == null;
    }

    /** Ends the output; false if the channel has no room for that yet. */
    private boolean shutdownOutput(long now) {
        Transport to = transport;
        try {
            shuttingOutput = to != null && !to.shutdownOutput();
            outputBlocked = shuttingOutput;
            if (shuttingOutput) {
                return false;
            }
            stream.outputShutDown(now);
            if (endWithheld) {
                stream.endOfStream(now);
            }
        } catch (IOException e) {
            stream.lost(SocketErrors.lost(e), SocketErrors.message(e), now);
        }
        return true;
    }

    private void closeTransport(boolean reset) {
        Transport open = transport;
        transport = null;
        if (open != null) {
            open.close(reset);
        }
    }
}
