package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.engine.transport.Transport;

/**
 * The transport of a connection that is set up, from nothing until it can carry frames: TCP connects, and what is above
 * it opens. Belongs to the event loop's thread.
 */
final class Opening {
    private final InetSocketAddress peer;
    private final SetupProgress progress = new SetupProgress();
    private Transport transport;

    /** Creates the opening of {@code transport}, which is to reach {@code peer} or was accepted from it. */
    Opening(InetSocketAddress peer, Transport transport) {
        this.peer = peer;
        this.transport = transport;
    }

    /** Returns the transport, which may become another. */
    Transport transport() {
        return transport;
    }

    /** Begins to connect; true if it is done already. */
    boolean connect() throws IOException {
        return transport.connect(peer);
    }

    /**
     * Opens the transport as far as possible now; it is connected.
     *
     * @param again is run when it is time to call again, if the answer is 0
     * @return {@link Transport#OPEN}, or the readiness of the channel to wait for, or 0 to wait for {@code again}
     */
    int open(Runnable again) throws IOException {
        progress.connected();
        int wanted = transport.open(again);
        if (wanted == Transport.OPEN) {
            progress.opened();
            carrier();
        }
        return wanted;
    }

    /** Returns what carries the octets from now on. */
    Transport carrier() {
        transport = transport.carrier();
        return transport;
    }

    /**
     * Puts another transport in the place of one that the peer did not understand.
     *
     * @return the one before, which is still to be closed; null if that is not why it failed
     * @throws org.panamaverbs.api.ConnectionException if there is no socket for that
     */
    @Nullable
    Transport replaced() {
        Transport before = transport;
        Transport other = before.another();
        if (other == null) {
            return null;
        }
        transport = other;
        return before;
    }

    /** Returns what has not happened so far, with {@code replyOctets} of an MPA Reply here. */
    String missing(int replyOctets) {
        return progress.missing(transport.lacking(), replyOctets);
    }
}
