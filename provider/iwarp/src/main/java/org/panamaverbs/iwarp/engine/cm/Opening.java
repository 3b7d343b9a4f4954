package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.Watch;

/**
 * The transport of a connection that is set up, and what is watched of it: from nothing until it can carry frames, when
 * TCP connects and what is above it opens, to its end or its next owner. Belongs to the event loop's thread.
 */
final class Opening {
    private final InetSocketAddress peer;
    private final SetupProgress progress = new SetupProgress();
    private final SetupWatch watch;
    private Transport transport;
    private boolean replaced;

    /**
     * Creates the opening of {@code transport}, which is to reach {@code peer} or was accepted from it; {@code watch}
     * watches nothing so far.
     */
    Opening(InetSocketAddress peer, Transport transport, SetupWatch watch) {
        this.peer = peer;
        this.transport = transport;
        this.watch = watch;
    }

    /** Returns the transport, which may become another. */
    Transport transport() {
        return transport;
    }

    /** Returns the watch of its channel, once that is watched. */
    Watch watch() {
        return watch.registered();
    }

    /** Begins to connect; true if it is done already. */
    boolean connect() throws IOException {
        watch.channel(transport, Watch.WRITE);
        return transport.connect(peer);
    }

    /** Begins to wait for the first octet of a peer that is connected. */
    void begin() throws IOException {
        watch.channel(transport, Watch.READ);
    }

    /** Waits until the transport can do one of {@code operations}, {@link Watch#READ} and its like. */
    void await(int operations) throws IOException {
        watch.await(transport, operations);
    }

    /**
     * Opens the transport as far as possible now; it is connected.
     *
     * @param again is run when it is time to call again, if no readiness of the channel tells
     * @return whether it is open; else it is waited for
     */
    boolean open(Runnable again) throws IOException {
        progress.connected();
        int wanted = transport.open(again);
        boolean open = wanted == Transport.OPEN;
        if (open) {
            progress.opened();
            // Its channel may be another than the last one of the set-up.
            transport = transport.carrier();
        }
        watch.channel(transport, open ? Watch.READ : wanted);
        return open;
    }

    /** Returns what carries the octets from now on, watched for input, to be handed over with its watch. */
    Transport carrier() throws IOException {
        transport = transport.carrier();
        await(Watch.READ);
        return transport;
    }

    /**
     * Puts another transport in the place of one that the peer did not understand; false if that is not why it failed.
     *
     * @throws org.panamaverbs.api.ConnectionException if there is no socket for that
     */
    boolean replace() {
        Transport before = transport;
        Transport other = before.another();
        if (other != null) {
            boolean closed = false;
            try {
                // Before the other takes its place: if it fails, the handshake's end closes it once more.
                before.close(false);
                closed = true;
            } finally {
                if (!closed) {
                    other.close(false);
                }
            }
            transport = other;
            replaced = true;
            watch.forget();
        }
        return other != null;
    }

    /** Tells whether another transport took the place of the first. */
    boolean wasReplaced() {
        return replaced;
    }

    /** Returns what has not happened so far, with {@code replyOctets} of an MPA Reply here. */
    String missing(int replyOctets) {
        return progress.missing(transport.lacking(), replyOctets);
    }
}
