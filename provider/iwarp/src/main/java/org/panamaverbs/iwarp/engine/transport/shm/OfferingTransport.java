package org.panamaverbs.iwarp.engine.transport.shm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.engine.context.SharedMemoryOptions;
import org.panamaverbs.iwarp.engine.transport.SocketErrors;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.net.unix.ReceivedFile;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmOffer;

/**
 * The initiator's side of {@link SameHostTransport}: looks for the listener's hint and makes the Offer. A listener that
 * ends the connection then has not given the hint, and is connected to anew without.
 */
final class OfferingTransport extends SameHostTransport {
    // The responder comes once; others could come only if they guessed the name.
    private static final int BACKLOG = 4;
    private static final byte TAKEN = 1;

    private enum Step {
        LOOK,
        ANSWER,
        FILE
    }

    private final IntSupplier random;
    private final Supplier<Transport> withoutOffer;
    // The listener ended the connection at the Offer: who gave the hint was another.
    private boolean misled;
    private Step step = Step.LOOK;
    private @Nullable UnixServer server;
    private Octets token = Octets.EMPTY;

    OfferingTransport(
            TcpSocket socket,
            String sockets,
            SharedMemoryOptions wish,
            RingQuota quota,
            IntSupplier random,
            Supplier<Transport> withoutOffer) {
        super(socket, sockets, wish, quota);
        this.random = random;
        this.withoutOffer = withoutOffer;
    }

    @Override
    public String lacking() {
        return "did not answer the Offer of shared memory";
    }

    @Override
    int step() throws IOException {
        return switch (step) {
            case LOOK -> look();
            case ANSWER -> answer();
            case FILE -> file();
        };
    }

    private int look() throws IOException {
        InetSocketAddress peer = socket.remoteAddress();
        InetAddress there = peer.getAddress();
        InetAddress here = socket.localAddress().getAddress();
        if (!there.equals(here) && !(there.isLoopbackAddress() && here.isLoopbackAddress())) {
            return stayOnTcp("");
        }
        if (!wish.obstacle().isEmpty()) {
            return stayOnTcp(wish.obstacle());
        }
        if (!HintNames.isThere(peer)) {
            return stayOnTcp("nobody at that port offers it in this network namespace");
        }
        if (!takePlace()) {
            return stayOnTcp(full());
        }
        Octets name = octets();
        token = octets();
        try {
            server = UnixServer.listen(rendezvous(name), BACKLOG);
        } catch (IOException e) {
            return stayOnTcp(SocketErrors.message(e));
        }
        sendOverTcp(new ShmOffer(ShmOffer.VERSION, ShmOffer.ABSTRACT, name, token).encode());
        expect(ShmAnswer.BYTES);
        step = Step.ANSWER;
        return GO_ON;
    }

    private Octets octets() {
        ByteBuffer octets = ByteBuffer.allocate(ShmOffer.NAME_BYTES);
        while (octets.hasRemaining()) {
            octets.putInt(random.getAsInt());
        }
        return Octets.of(octets.array());
    }

    private int answer() throws IOException {
        int octets;
        try {
            octets = receiveOverTcp();
        } catch (IOException e) {
            misled = true;
            throw e;
        }
        if (octets < 0) {
            misled = true;
            throw new IOException("the listener ended the connection at the Offer of shared memory");
        }
        if (message().hasRemaining()) {
            return octets > 0 ? GO_ON : Watch.READ;
        }
        ShmAnswer answer = ShmAnswer.parse(message());
        if (answer == null) {
            throw new IOException("what came is no Answer to the Offer of shared memory");
        }
        if (answer.outcome() != ShmAnswer.Outcome.TAKEN) {
            return stayOnTcp(answer.outcome().text());
        }
        try {
            meetAt(accept());
            sendFile();
        } catch (IOException e) {
            return stayOnTcp(SocketErrors.message(e));
        }
        step = Step.FILE;
        return GO_ON;
    }

    /** Returns the connection of the responder, which came before it answered. */
    private UnixSocket accept() throws IOException {
        UnixServer at = server;
        for (int i = 0; at != null && i < BACKLOG; i++) {
            UnixSocket unix = at.accept();
            if (unix == null) {
                break;
            }
            boolean taken = false;
            try {
                taken = showsToken(unix);
                if (taken) {
                    closeServer();
                    return unix;
                }
            } finally {
                if (!taken) {
                    unix.close();
                }
            }
        }
        throw new IOException("the listener said that it came, and nobody has shown the token");
    }

    private boolean showsToken(UnixSocket unix) throws IOException {
        ByteBuffer shown = ByteBuffer.allocate(ShmOffer.NAME_BYTES);
        unix.receive(shown);
        String stranger = strangerAt(unix);
        if (!stranger.isEmpty()) {
            throw new IOException(stranger);
        }
        return !shown.hasRemaining() && MessageDigest.isEqual(shown.array(), token.toByteArray());
    }

    private int file() throws IOException {
        SharedRings rings;
        try {
            ReceivedFile file = receiveFile();
            if (file == null) {
                return Watch.READ;
            }
            rings = over(file);
        } catch (IOException e) {
            return stayOnTcp(SocketErrors.message(e));
        }
        boolean sent = false;
        try {
            sent = line().send(ByteBuffer.wrap(new byte[] {TAKEN})) == 1;
        } finally {
            if (!sent) {
                rings.close();
            }
        }
        return sent ? goOnBy(rings) : stayOnTcp("the peer ended the set-up of shared memory");
    }

    @Override
    public @Nullable Transport another() {
        if (!misled || wish.isRequired()) {
            return null;
        }
        // It may be bound to an address that the other one is to have.
        close(false);
        return withoutOffer.get();
    }

    @Override
    void closeLine() {
        try {
            closeServer();
        } finally {
            super.closeLine();
        }
    }

    private void closeServer() {
        UnixServer listening = server;
        server = null;
        if (listening != null) {
            listening.close();
        }
    }
}
