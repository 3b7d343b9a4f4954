package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.CloseAction;
import org.panamaverbs.iwarp.core.Stream;
import org.panamaverbs.iwarp.core.StreamState;

/** The socket of one stream: moves octets between the two, and closes as the stream asks. Under the stream's lock. */
final class StreamSocket {
    // They bound one pass, so that one busy stream does not starve the others of the thread.
    private static final int ROUNDS = 64;
    private static final int BATCHES = 16;

    private final Stream stream;
    private @Nullable SocketChannel channel;
    private boolean inputPaused;
    private boolean outputBlocked;

    StreamSocket(Stream stream) {
        this.stream = stream;
    }

    /** Takes a channel over. */
    void open(SocketChannel connected) {
        channel = connected;
    }

    /** Tells whether the stream wants nothing from the peer for now. */
    boolean inputPaused() {
        return inputPaused;
    }

    /** Tells whether something is left to be sent. */
    boolean outputBlocked() {
        return outputBlocked;
    }

    /** Receives and sends until nothing moves, at most {@link #ROUNDS} times. */
    void exchange(long now) {
        boolean more = channel != null;
        for (int round = 0; more && round < ROUNDS; round++) {
            boolean filled = receive(now);
            boolean wasPaused = inputPaused;
            boolean sent = transmit(now);
            more = filled || (wasPaused && sent);
        }
    }

    /** Receives once; returns whether the socket may hold more. */
    private boolean receive(long now) {
        SocketChannel from = channel;
        if (from == null) {
            return false;
        }
        ByteBuffer[] buffers = stream.receiveBuffers();
        int count = stream.receiveBufferCount();
        inputPaused = count == 0;
        long octets = 0;
        IOException failure = null;
        boolean filled = false;
        try {
            // One buffer a call: the form for several allocates for each that views registered memory.
            for (int i = 0; i < count && (i == 0 || filled); i++) {
                int some = from.read(buffers[i]);
                filled = some > 0 && !buffers[i].hasRemaining();
                octets = some < 0 && octets == 0 ? some : octets + Math.max(some, 0);
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
            stream.endOfStream(now);
        }
        return filled;
    }

    /**
     * Sends until nothing is left or the socket is full, at most {@link #BATCHES} times; returns whether anything went.
     */
    boolean transmit(long now) {
        SocketChannel to = channel;
        if (to == null) {
            return false;
        }
        boolean sent = false;
        outputBlocked = false;
        for (int batch = 0; batch < BATCHES && stream.state() != StreamState.CLOSED; batch++) {
            ByteBuffer[] buffers = stream.transmitBuffers(now);
            int from = stream.transmitBufferOffset();
            int end = from + stream.transmitBufferCount();
            long octets = 0;
            IOException failure = null;
            try {
                for (int i = from; i < end && !outputBlocked; i++) {
                    octets += to.write(buffers[i]);
                    outputBlocked = buffers[i].hasRemaining();
                }
            } catch (IOException e) {
                failure = e;
            } finally {
                stream.transmitted(octets, now);
            }
            sent |= octets > 0;
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
        boolean wasOpen = channel != null;
        for (CloseAction action = stream.closeAction(); action != CloseAction.NONE; action = stream.closeAction()) {
            if (action == CloseAction.SHUTDOWN_OUTPUT) {
                shutdownOutput(now);
            } else {
                closeChannel(action == CloseAction.ABORT);
                stream.closed(now);
            }
        }
        return wasOpen && channel == null;
    }

    private void shutdownOutput(long now) {
        SocketChannel socket = channel;
        try {
            if (socket != null) {
                socket.shutdownOutput();
            }
            stream.outputShutDown(now);
        } catch (IOException e) {
            stream.lost(SocketErrors.lost(e), SocketErrors.message(e), now);
        }
    }

    private void closeChannel(boolean reset) {
        SocketChannel socket = channel;
        channel = null;
        if (socket == null) {
            return;
        }
        // try-with-resources closes also where the peer was faster and there is nothing left to reset.
        try (socket) {
            if (reset) {
                socket.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            System.getLogger(StreamSocket.class.getName())
                    .log(System.Logger.Level.DEBUG, "a socket did not close cleanly", e);
        }
    }
}
