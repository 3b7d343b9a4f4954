package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.iwarp.engine.device.SharedMemoryOptions;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.net.unix.FileMessage;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.shm.DirectDomains;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmOffer;

/**
 * The initiator's side of {@link SameHostTransport}: looks for the listener's hint and makes the Offer. A listener that
 * ends the connection then has not given the hint, and is connected to anew without.
 */
final class OfferingTransport extends SameHostTransport {
    // The responder comes once. Others of this network namespace can see the name (/proc/net/unix)
    // and come as well: they are passed over, and must not be so many that there is no place for it.
    private static final int BACKLOG = 64;
    private static final byte TAKEN = 1;

    private enum Step {
        LOOK,
        ANSWER,
        FILE
    }

    private final Supplier<Transport> withoutOffer;
    // The listener ended the connection at the Offer: who gave the hint was another.
    private boolean misled;
    /** The peer has said what becomes of the Offer, as no stranger does. */
    private boolean answered;

    private Step step = Step.LOOK;
    private @Nullable MeetingPlace place;
    private @Nullable UnixServer server;
    private Octets token = Octets.EMPTY;
    // Rings of before are asked for once.
    private boolean hasAskedForKept;

    OfferingTransport(
            TcpSocket socket,
            String sockets,
            SharedMemoryOptions wish,
            RingQuota quota,
            DirectDomains domains,
            KeptRings kept,
            IntSupplier random,
            Supplier<Transport> withoutOffer) {
        super(socket, sockets, wish, quota, domains, kept, random);
        this.withoutOffer = withoutOffer;
    }

    @Override
    public String lacking() {
        return step == Step.FILE ? "sent no shared memory file" : "did not answer the Offer of shared memory";
    }

    @Override
    public boolean isAnnounced() {
        return step != Step.LOOK;
    }

    @Override
    public boolean isAnswered() {
        return answered;
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
        int nameSpace = isPeerHere() ? ShmOffer.ABSTRACT : ShmOffer.DIRECTORY;
        if (nameSpace == ShmOffer.DIRECTORY && wish.directory() == null) {
            return stayElsewhere();
        }
        String obstacle = wish.obstacle();
        if (!obstacle.isEmpty()) {
            return stayOnTcp(obstacle);
        }
        Octets name = octets();
        token = octets();
        try {
            obstacle = listen(nameSpace, name);
        } catch (IOException e) {
            return stayOnTcp(e);
        }
        if (!obstacle.isEmpty()) {
            return stayOnTcp(obstacle);
        }
        Octets id = takenOver();
        sendOverTcp((id == null
                        ? new ShmOffer(ShmOffer.VERSION, nameSpace, name, token)
                        : new ShmOffer(ShmOffer.VERSION, ShmOffer.KEPT, id, token))
                .encode());
        expect(ShmAnswer.BYTES);
        step = Step.ANSWER;
        return GO_ON;
    }

    /**
     * Takes rings of before, or begins to listen at {@code name}, if the peer is where that is; answers what is in the
     * way, empty if nothing. Who listens at the peer's address may be another than before: so the hint is looked for
     * also where there are rings.
     */
    private String listen(int nameSpace, Octets name) throws IOException {
        InetSocketAddress peer = socket.remoteAddress();
        MeetingPlace chosen = place(nameSpace);
        if (chosen == null) {
            throw new IllegalStateException("no place");
        }
        place = chosen;
        if (!chosen.hasListener(peer)) {
            return chosen.nobody(peer);
        }
        if (!takePlace()) {
            throw new SetupFailure(Reason.CLOSED, full());
        }
        boolean asks = !hasAskedForKept && domains.obstacleNow().isEmpty();
        hasAskedForKept = true;
        if (asks && takeOver(kept.take(peer, wish, token))) {
            return "";
        }
        server = chosen.listen(name, BACKLOG);
        return "";
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
            throw misled(SocketErrors.message(e));
        }
        if (octets < 0) {
            throw misled("end of the stream");
        }
        if (message().hasRemaining()) {
            return octets > 0 ? GO_ON : Watch.READ;
        }
        ShmAnswer answer = ShmAnswer.parse(message());
        if (answer == null) {
            throw new SetupFailure(Reason.PROTOCOL, "the peer's bytes are not an Answer to the Offer of shared memory");
        }
        answered = true;
        ShmAnswer.Outcome outcome = answer.outcome();
        if (takenOver() != null) {
            closeServer();
            if (outcome == ShmAnswer.Outcome.TAKEN) {
                // Whoever has the address by now can answer so.
                if (!isTakenByPeer(token)) {
                    throw new SetupFailure(
                            Reason.PROTOCOL,
                            "the peer accepted an Offer of kept shared memory that another process has; remedy: check"
                                    + " which process listens at that address");
                }
                return goOnAgain();
            }
            closeTakenOver();
            if (outcome == ShmAnswer.Outcome.NOT_KEPT) {
                step = Step.LOOK;
                return GO_ON;
            }
        }
        if (outcome != ShmAnswer.Outcome.TAKEN) {
            return stayOnTcp(
                    outcome == ShmAnswer.Outcome.RESOURCES ? Reason.RESET : Reason.NEGOTIATION, outcome.text());
        }
        try {
            meetAt(accept(), token, socket.remoteAddress());
            // Behind it: from then on the connection is closed with the transport.
            closeServer();
            makeFile();
            sendFile();
        } catch (IOException e) {
            return stayOnTcp(e);
        }
        expectFile();
        step = Step.FILE;
        return GO_ON;
    }

    private SetupFailure misled(String how) {
        misled = true;
        return new SetupFailure(
                Reason.RESET,
                "the listener ended the connection after the Offer of shared memory: " + how
                        + "; remedy: check its log, or set shm=auto, which falls back to TCP, if it does not support"
                        + " shared memory");
    }

    /** Returns the connection of the responder, which came before it answered. */
    private UnixSocket accept() throws IOException {
        UnixServer at = server;
        String stranger = "";
        // The system keeps one more than the backlog.
        for (int i = 0; at != null && i <= BACKLOG; i++) {
            UnixSocket unix = at.accept();
            if (unix == null) {
                break;
            }
            boolean taken = false;
            try {
                String who = strangerAt(unix);
                stranger = who.isEmpty() ? stranger : who;
                // Nothing is received from a stranger.
                taken = who.isEmpty() && showsToken(unix);
                if (taken) {
                    return unix;
                }
            } finally {
                if (!taken) {
                    unix.close();
                }
            }
        }
        String obstacle = wish.obstacle();
        throw new IOException("the listener reported a connection over the Unix socket, but none showed the token"
                + (stranger.isEmpty() ? "" : "; " + stranger)
                + (obstacle.isEmpty() ? "" : "; " + obstacle));
    }

    /** Tells whether {@code unix} is the responder's. */
    private boolean showsToken(UnixSocket unix) {
        ByteBuffer shown = ByteBuffer.allocate(ShmOffer.NAME_BYTES);
        try (FileMessage message = unix.receiveWithFile(shown)) {
            return message.octets() == ShmOffer.NAME_BYTES && MessageDigest.isEqual(shown.array(), token.toByteArray());
        } catch (IOException e) {
            // Another, who sends what cannot be taken.
            return false;
        }
    }

    private int file() throws IOException {
        try {
            if (!receiveFile()) {
                return Watch.READ;
            }
            makeRings();
            if (line().send(ByteBuffer.wrap(new byte[] {TAKEN})) == 0) {
                return stayOnTcp(Reason.RESET, "the Unix connection has no room for a byte");
            }
        } catch (IOException e) {
            // Also that the peer has closed it, and so stays on TCP.
            return stayOnTcp(e);
        }
        return goOnByRings();
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
        try {
            MeetingPlace left = place;
            if (left != null) {
                left.close();
                place = null;
            }
        } finally {
            UnixServer listening = server;
            if (listening != null) {
                listening.close();
                server = null;
            }
        }
    }
}
