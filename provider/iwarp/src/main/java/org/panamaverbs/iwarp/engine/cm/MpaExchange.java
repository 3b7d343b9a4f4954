package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.engine.transport.TlsErrors;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.Watch;

/**
 * The exchange of MPA frames over the transport of an {@link Opening}, from when that is open. Belongs to the event
 * loop's thread.
 */
final class MpaExchange {
    private final boolean initiator;
    private final StartupConfig wish;
    /** What was sent and received, from when the transport is open: what is asked for depends on it. */
    private @Nullable MpaStartup startup;

    /** Creates the exchange of one side, whose wish is {@code wish}. */
    MpaExchange(boolean initiator, StartupConfig wish) {
        this.initiator = initiator;
        this.wish = wish;
    }

    /** Begins over {@code transport}, which is open, with nothing sent so far. */
    void begin(Transport transport) {
        StartupConfig fitting = fitting(wish, transport);
        startup = initiator ? MpaStartup.initiator(fitting) : MpaStartup.responder(fitting);
    }

    /**
     * Returns the state of the exchange, to ask what the peer said.
     *
     * @throws IllegalStateException if the transport was never open
     */
    MpaStartup startup() {
        MpaStartup begun = startup;
        if (begun == null) {
            throw new IllegalStateException("nothing was exchanged with the peer");
        }
        return begun;
    }

    /** Returns how many octets of frames have come. */
    int octetsReceived() {
        MpaStartup begun = startup;
        return begun == null ? 0 : begun.octetsReceived();
    }

    /** Tells whether the peer may still have to ask or to answer: no whole frame of it is here. */
    boolean awaitsPeer() {
        MpaStartup begun = startup;
        return begun == null || begun.state() == MpaStartup.State.IN_PROGRESS;
    }

    /** Responder: answers the request with a Reply that accepts. */
    void accept(StartupConfig answer, Transport transport) {
        startup().accept(fitting(answer, transport));
    }

    /** Returns {@code wish} without what only a wire needs, if {@code transport} has none. */
    private static StartupConfig fitting(StartupConfig wish, Transport transport) {
        return transport.hasWire() ? wish : wish.withoutCrcAndMarkers();
    }

    /**
     * Exchanges frames until the peer has to move, for which {@code opening} waits, or all is sent.
     *
     * @return the state that calls for something; IN_PROGRESS while the peer has to move
     */
    MpaStartup.State advance(Opening opening) throws IOException {
        MpaStartup begun = startup();
        while (true) {
            if (!send(begun, opening.transport())) {
                opening.await(Watch.WRITE);
                return MpaStartup.State.IN_PROGRESS;
            }
            if (begun.state() != MpaStartup.State.IN_PROGRESS) {
                return begun.state();
            }
            int wanted = receive(begun, opening.transport());
            if (wanted != 0) {
                opening.await(wanted);
                return MpaStartup.State.IN_PROGRESS;
            }
        }
    }

    /** Sends what is to be sent; false if the transport has no room for all of it. */
    private static boolean send(MpaStartup from, Transport transport) throws IOException {
        ByteBuffer out = from.transmitBuffer();
        if (out.hasRemaining()) {
            transport.write(out);
        }
        return !out.hasRemaining() && transport.flush();
    }

    /** Receives what is there; returns what to wait for if that is nothing, else 0. */
    private int receive(MpaStartup into, Transport transport) throws IOException {
        ByteBuffer in = into.receiveBuffer();
        int octets = transport.read(in);
        if (octets == 0) {
            return Watch.READ | (transport.isBlocked() ? Watch.WRITE : 0);
        }
        if (octets < 0) {
            into.endOfStream();
        } else {
            TlsErrors.requirePlain(in, initiator);
            into.received();
        }
        return 0;
    }

    /** RFC 5044 §7.1.2: an initiator sends nothing between its request and the reply. */
    static void requireSilence(Transport transport) throws IOException {
        ByteBuffer octet = ByteBuffer.allocate(1);
        int octets = transport.read(octet);
        if (octets < 0) {
            throw new IOException("the peer closed the connection before it was accepted");
        }
        if (octets > 0) {
            throw new IOException("the peer sent octets behind its MPA Request");
        }
    }
}
