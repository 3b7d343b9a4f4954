package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.iwarp.engine.transport.TlsErrors;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.Watch;

/** The exchange of MPA frames over a transport that is open. Belongs to the event loop's thread. */
final class MpaExchange {
    private final Transport transport;
    private final boolean initiator;
    private final MpaStartup startup;

    /** Creates the exchange of one side, whose wish is {@code config}, with nothing sent so far. */
    MpaExchange(Transport transport, boolean initiator, StartupConfig config) {
        this.transport = transport;
        this.initiator = initiator;
        StartupConfig wish = fitting(config);
        startup = initiator ? MpaStartup.initiator(wish) : MpaStartup.responder(wish);
    }

    /** Returns the state of the exchange, to ask what the peer said. */
    MpaStartup startup() {
        return startup;
    }

    /** Responder: answers the request with a Reply that accepts. */
    void accept(StartupConfig answer) {
        startup.accept(fitting(answer));
    }

    /** Returns {@code wish} without what only a wire needs, if there is none. */
    private StartupConfig fitting(StartupConfig wish) {
        return transport.hasWire() ? wish : wish.withoutCrcAndMarkers();
    }

    /** Sends what is to be sent; false if the transport has no room for all of it. */
    boolean send() throws IOException {
        ByteBuffer out = startup.transmitBuffer();
        if (out.hasRemaining()) {
            transport.write(out);
        }
        return !out.hasRemaining() && transport.flush();
    }

    /** Receives what is there; returns what to wait for if that is nothing, else 0. */
    int receive() throws IOException {
        ByteBuffer in = startup.receiveBuffer();
        int octets = transport.read(in);
        if (octets == 0) {
            return Watch.READ | (transport.isBlocked() ? Watch.WRITE : 0);
        }
        if (octets < 0) {
            startup.endOfStream();
        } else {
            TlsErrors.requirePlain(in, initiator);
            startup.received();
        }
        return 0;
    }

    /** RFC 5044 §7.1.2: an initiator sends nothing between its request and the reply. */
    void requireSilence() throws IOException {
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
