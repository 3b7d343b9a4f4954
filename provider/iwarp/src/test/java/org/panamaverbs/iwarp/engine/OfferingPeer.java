package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.unix.FileMessage;
import org.panamaverbs.iwarp.net.unix.ReceivedFile;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.SharedDirectory;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.shm.RingLayout;
import org.panamaverbs.iwarp.shm.RingPair;
import org.panamaverbs.iwarp.wire.MpaFrame;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmOffer;

/** A peer that begins as an initiator with an Offer, and goes on as a test pleases. */
final class OfferingPeer implements AutoCloseable {
    static final int RING_BYTES = 65_536;
    static final Octets NAME = Octets.of(
            HexFormat.of().parseHex("%032x".formatted(ProcessHandle.current().pid())));
    static final Octets TOKEN = Octets.of(HexFormat.of().parseHex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"));

    private final Octets token;
    final UnixServer rendezvous;
    final Socket tcp;

    @Nullable
    UnixSocket line;

    @Nullable
    SealedFile own;

    @Nullable
    SealedFile peers;

    /** Makes an Offer to {@code listener}; at its name is nobody unless {@code listens}. */
    OfferingPeer(Listener listener, int version, boolean listens) throws IOException {
        this(listener, "127.0.0.1", version, listens);
    }

    /** As the other, from the local address {@code from}. */
    OfferingPeer(Listener listener, String from, int version, boolean listens) throws IOException {
        this(listener.localAddress(), from, version, listens);
    }

    /** As the other, to the listener at {@code address}. */
    OfferingPeer(InetSocketAddress address, String from, int version, boolean listens) throws IOException {
        this(
                rendezvous(NAME, listens),
                Raw.connect(address, from),
                new ShmOffer(version, ShmOffer.ABSTRACT, NAME, TOKEN));
    }

    /** Makes {@code offer} to the listener at {@code address}, beside others; somebody is at its name. */
    OfferingPeer(InetSocketAddress address, ShmOffer offer) throws IOException {
        this(rendezvous(offer.name(), true), Raw.connect(address, "127.0.0.1"), offer);
    }

    // Closed before the Offer goes: whoever hears of it goes there at once.
    private static UnixServer rendezvous(Octets name, boolean listens) throws IOException {
        UnixServer server = UnixServer.listen(UnixName.ofAbstract("panama-verbs/1/" + name), 1);
        if (!listens) {
            server.close();
        }
        return server;
    }

    private OfferingPeer(UnixServer rendezvous, Socket tcp, ShmOffer offer) throws IOException {
        this.rendezvous = rendezvous;
        this.tcp = tcp;
        token = offer.token();
        send(offer.encode());
    }

    /** Makes an Offer in {@code directory} to the listener at {@code address}, from the local address {@code from}. */
    static OfferingPeer in(SharedDirectory directory, InetSocketAddress address, String from) throws IOException {
        return in(directory.listen(NAME.toString(), 1, false), address, from);
    }

    /** As the other, where whatever is at the name is the test's. */
    static OfferingPeer in(UnixServer rendezvous, InetSocketAddress address, String from) throws IOException {
        return new OfferingPeer(
                rendezvous,
                Raw.connect(address, from),
                new ShmOffer(ShmOffer.VERSION, ShmOffer.DIRECTORY, NAME, TOKEN));
    }

    void send(ByteBuffer octets) throws IOException {
        byte[] all = new byte[octets.remaining()];
        octets.get(all);
        tcp.getOutputStream().write(all);
    }

    ShmAnswer.Outcome answer() throws IOException {
        tcp.setSoTimeout(20_000);
        byte[] octets = tcp.getInputStream().readNBytes(ShmAnswer.BYTES);
        return Objects.requireNonNull(ShmAnswer.parse(ByteBuffer.wrap(octets))).outcome();
    }

    /** Meets the responder, who shows the token. */
    UnixSocket meet() throws IOException {
        assertThat(answer()).isEqualTo(ShmAnswer.Outcome.TAKEN);
        UnixSocket unix = Objects.requireNonNull(rendezvous.accept());
        ByteBuffer shown = ByteBuffer.allocate(ShmOffer.NAME_BYTES);
        unix.receive(shown);
        assertThat(Octets.of(shown.array())).isEqualTo(token);
        line = unix;
        unix.takeFiles();
        return unix;
    }

    /** Goes on until the rings are there. */
    RingPair share() throws IOException {
        return share(RING_BYTES);
    }

    /** As the other, with a ring of {@code ringBytes} on this side. */
    RingPair share(int ringBytes) throws IOException {
        meet();
        sendFile(ringBytes);
        RingPair rings = receiveFile();
        take();
        return rings;
    }

    /** Sends a file with a ring. */
    void sendFile() throws IOException {
        sendFile(RING_BYTES);
    }

    private void sendFile(int ringBytes) throws IOException {
        SealedFile mine = SealedFile.create("a hostile peer", RingLayout.fileBytes(ringBytes));
        own = mine;
        RingLayout.format(mine.memory(), ringBytes);
        Objects.requireNonNull(line).send(size(mine.memory().byteSize()), mine);
    }

    /** Waits for the responder's file, and returns the rings. */
    RingPair receiveFile() throws IOException {
        UnixSocket unix = Objects.requireNonNull(line);
        ByteBuffer size = ByteBuffer.allocate(Long.BYTES);
        ReceivedFile file = null;
        while (size.hasRemaining() || file == null) {
            FileMessage message = unix.receiveWithFile(size);
            assertThat(message.octets()).isNotNegative();
            file = message.file() == null ? file : message.file();
        }
        SealedFile theirs = file.mapSparse(size.getLong(0));
        peers = theirs;
        return new RingPair(Objects.requireNonNull(own).memory(), theirs.memory());
    }

    /** Says that it has taken the responder's file. */
    void take() throws IOException {
        UnixSocket unix = Objects.requireNonNull(line);
        unix.send(ByteBuffer.wrap(new byte[] {1}));
        unix.close();
    }

    /** Goes on until the rings are there, and keeps the Unix connection, as who reaches for memory does. */
    RingPair shareAndStay() throws IOException {
        UnixSocket unix = meet();
        sendFile(RING_BYTES);
        RingPair rings = receiveFile();
        unix.send(ByteBuffer.wrap(new byte[] {1}));
        return rings;
    }

    /** Waits for the table of the responder's memory, of {@code bytes}, and returns it. */
    SealedFile table(long bytes) throws IOException {
        UnixSocket unix = Objects.requireNonNull(line);
        ByteBuffer grant = ByteBuffer.allocate(24);
        ReceivedFile file = null;
        while (grant.hasRemaining() || file == null) {
            FileMessage message = unix.receiveWithFile(grant);
            assertThat(message.octets()).isNotNegative();
            file = message.file() == null ? file : message.file();
        }
        return file.map(bytes);
    }

    /** Tells whether the responder has ended the Unix connection. */
    boolean isLineEnded() {
        return Objects.requireNonNull(line).isPeerGone();
    }

    /** Rings the bell. */
    void ring() throws IOException {
        tcp.getOutputStream().write(0);
    }

    /** Returns what says that a file has {@code bytes}. */
    static ByteBuffer size(long bytes) {
        return ByteBuffer.allocate(Long.BYTES).putLong(bytes).flip();
    }

    /** Returns an MPA Request. */
    static ByteBuffer request() {
        return ByteBuffer.wrap(new MpaFrame(false, false, false, false, 1, null, Octets.EMPTY).encode());
    }

    /** Writes an MPA Request into the ring, and rings. */
    void ask(RingPair rings) throws IOException {
        rings.write(IoVector.of(request()));
        ring();
    }

    @Override
    public void close() throws IOException {
        rendezvous.close();
        tcp.close();
        if (line != null) {
            line.close();
        }
        if (own != null) {
            own.close();
        }
        if (peers != null) {
            peers.close();
        }
    }
}
