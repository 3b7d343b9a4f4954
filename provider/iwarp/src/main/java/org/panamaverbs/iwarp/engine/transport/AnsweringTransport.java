package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntSupplier;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.iwarp.engine.device.SharedMemoryOptions;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.shm.DirectDomains;
import org.panamaverbs.iwarp.wire.MpaFrame;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmAnswer.Outcome;
import org.panamaverbs.iwarp.wire.ShmOffer;

/**
 * The responder's side of {@link SameHostTransport}: looks whether the first byte is that of an Offer, and answers it.
 * Of a connection without one no byte is lost: the first ones are read again.
 */
final class AnsweringTransport extends SameHostTransport {
    // What is read first of an MPA Request: so it costs no read more, and none of what is behind it.
    private static final int FIRST_BYTES = MpaFrame.HEADER_BYTES;

    private enum Step {
        LOOK,
        OFFER,
        FILE,
        TAKEN
    }

    private Step step = Step.LOOK;
    // What was read to look at, and is no Offer; empty once it was read again.
    private ByteBuffer looked = ByteBuffer.allocate(0);
    // Why an Offer is declined, in words and as what it is where shared memory is required.
    private String obstacle = "";
    private Reason reason = Reason.NEGOTIATION;
    // Rings of before are given once a connection.
    private boolean hasLookedForKept;

    AnsweringTransport(
            TcpSocket socket,
            String sockets,
            SharedMemoryOptions wish,
            RingQuota quota,
            DirectDomains domains,
            KeptRings kept,
            IntSupplier random) {
        super(socket, sockets, wish, quota, domains, kept, random);
    }

    @Override
    public String lacking() {
        return switch (step) {
            case LOOK -> super.lacking();
            case OFFER -> "did not finish its Offer of shared memory";
            case FILE -> "sent no shared memory file";
            case TAKEN -> "did not confirm shared memory";
        };
    }

    @Override
    int step() throws IOException {
        return switch (step) {
            case LOOK -> look();
            case OFFER -> offer();
            case FILE -> file();
            case TAKEN -> taken();
        };
    }

    private int look() throws IOException {
        ByteBuffer first = ByteBuffer.allocate(FIRST_BYTES);
        int octets = socket.read(first);
        if (octets == 0) {
            return Watch.READ;
        }
        if (octets < 0 || first.get(0) != ShmOffer.FIRST_OCTET) {
            looked = first.flip();
            String lacking = wish.obstacle();
            if (!lacking.isEmpty()) {
                return isPeerHere() ? stayOnTcp(lacking) : stayOnTcpSilently(lacking);
            }
            return isPeerHere() || wish.directory() != null
                    ? stayOnTcp("the peer made no Offer of shared memory")
                    : stayElsewhere();
        }
        expect(ShmOffer.BYTES);
        message().put(first.flip());
        step = Step.OFFER;
        return GO_ON;
    }

    private int offer() throws IOException {
        int octets = receiveOverTcp();
        if (octets < 0) {
            throw new SetupFailure(
                    Reason.RESET, "the peer closed the connection in the middle of its Offer of shared memory");
        }
        if (message().hasRemaining()) {
            return octets > 0 ? GO_ON : Watch.READ;
        }
        ShmOffer offer = ShmOffer.parse(message());
        if (offer == null) {
            throw new SetupFailure(
                    Reason.PROTOCOL, "the peer sent neither an MPA Request nor an Offer of shared memory");
        }
        if (offer.nameSpace() == ShmOffer.KEPT && offer.version() == ShmOffer.VERSION && !hasLookedForKept) {
            return lookForKept(offer);
        }
        Outcome outcome = come(offer);
        sendOverTcp(new ShmAnswer(ShmOffer.VERSION, outcome).encode());
        if (outcome != Outcome.TAKEN) {
            return stayOnTcp(reason, obstacle);
        }
        expectFile();
        step = Step.FILE;
        return GO_ON;
    }

    /** Goes on by the rings that {@code offer} names, or has the initiator make another. */
    private int lookForKept(ShmOffer offer) throws IOException {
        hasLookedForKept = true;
        // No place before: a stranger that names something and is silent then would hold it.
        boolean found = (isPeerHere() || wish.directory() != null)
                && wish.obstacle().isEmpty()
                && domains.obstacleNow().isEmpty()
                && takeOver(kept.take(offer.name(), offer.token()));
        if (found && !takePlace()) {
            closeTakenOver();
            found = false;
        }
        if (found) {
            publishTaken(offer.token());
        }
        sendOverTcp(new ShmAnswer(ShmOffer.VERSION, found ? Outcome.TAKEN : Outcome.NOT_KEPT).encode());
        step = Step.LOOK;
        return found ? goOnAgain() : GO_ON;
    }

    /** Goes to the place of {@code offer}; answers how that went. */
    private Outcome come(ShmOffer offer) throws IOException {
        // First of all: it costs a peer that is elsewhere more than it costs here.
        if (!isPeerHere() && wish.directory() == null) {
            return declined(
                    Outcome.UNREACHABLE, "the peer offers shared memory from another namespace, and shm.dir is off");
        }
        if (offer.version() != ShmOffer.VERSION || offer.nameSpace() > ShmOffer.DIRECTORY) {
            return declined(Outcome.VERSION, "the peer's Offer has another version");
        }
        String lacking = wish.obstacle();
        if (!lacking.isEmpty()) {
            return declined(Outcome.RESOURCES, lacking);
        }
        if (!takePlace()) {
            return declined(Outcome.RESOURCES, new SetupFailure(Reason.CLOSED, full()));
        }
        try (MeetingPlace place = place(offer.nameSpace())) {
            return place == null
                    ? declined(
                            Outcome.UNREACHABLE,
                            "the peer's Offer names another rendezvous than the one both sides share")
                    : meet(place.connect(offer.name()), offer);
        } catch (IOException e) {
            boolean lacks = SetupFailure.ofSharing(e) == Reason.CLOSED;
            return declined(lacks ? Outcome.RESOURCES : Outcome.UNREACHABLE, e);
        }
    }

    /** Shows the token of {@code offer} to who listens at the other end of {@code unix}. */
    private Outcome meet(UnixSocket unix, ShmOffer offer) {
        boolean there = false;
        try {
            String stranger = strangerAt(unix);
            if (!stranger.isEmpty()) {
                return declined(Outcome.USER, stranger);
            }
            ByteBuffer token = ByteBuffer.wrap(offer.token().toByteArray());
            unix.send(token);
            if (token.hasRemaining()) {
                return declined(
                        Outcome.RESOURCES,
                        new SetupFailure(Reason.RESET, "the Unix connection has no room for a token"));
            }
            meetAt(unix, offer.token(), null);
            there = true;
            return Outcome.TAKEN;
        } catch (IOException e) {
            return declined(Outcome.RESOURCES, e);
        } finally {
            if (!there) {
                unix.close();
            }
        }
    }

    private Outcome declined(Outcome outcome, IOException cause) {
        reason = SetupFailure.ofSharing(cause);
        return declined(outcome, SocketErrors.message(cause));
    }

    private Outcome declined(Outcome outcome, String why) {
        obstacle = why;
        return outcome;
    }

    private int file() throws IOException {
        try {
            if (!receiveFile()) {
                return Watch.READ;
            }
            makeFile();
            makeRings();
            sendFile();
        } catch (IOException e) {
            return stayOnTcp(e);
        }
        expect(1);
        step = Step.TAKEN;
        return GO_ON;
    }

    private int taken() throws IOException {
        // What fails here ends the connection: nobody knows what the peer goes on by.
        int octets = line().receive(message());
        if (octets == 0) {
            return Watch.READ;
        }
        return octets < 0 ? stayOnTcp(Reason.RESET, "the peer ended the set-up of shared memory") : goOnByRings();
    }

    // ---- what was looked at ---------------------------------------------------------------------------------------

    @Override
    Transport overTcp(String text) {
        return looked.hasRemaining() ? new LookedAt(socket, text, looked) : super.overTcp(text);
    }

    /** TCP with bytes that were read before: the first ones of a frame. */
    private static final class LookedAt extends TcpTransport {
        private final String text;
        private final ByteBuffer first;

        LookedAt(TcpSocket socket, String text, ByteBuffer first) {
            super(socket, text);
            this.text = text;
            this.first = first;
        }

        @Override
        public Transport carrier() {
            return first.hasRemaining() ? this : new TcpTransport(socket, text);
        }

        @Override
        public int await(int wanted, boolean polled) {
            int watched = super.await(wanted, polled);
            return first.hasRemaining() && (wanted & Watch.READ) != 0 ? watched | NOW : watched;
        }

        @Override
        public long read(IoVector into) throws IOException {
            if (!first.hasRemaining()) {
                return super.read(into);
            }
            into.begin();
            ByteBuffer buffer = into.buffer(into.first());
            int some = Math.min(first.remaining(), buffer.remaining());
            buffer.put(first.slice().limit(some));
            first.position(first.position() + some);
            into.count(some);
            return some;
        }
    }
}
