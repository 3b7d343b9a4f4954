package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.net.unix.FileMessage;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.shm.RingLayout;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmOffer;

/** Peers that do not keep to the set-up of shared memory: they stay on TCP, or their own connection ends. */
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class HostileOfferTest extends BesideAFriend {
    private static final Octets NAME = OfferingPeer.NAME;
    private static final Octets TOKEN = OfferingPeer.TOKEN;

    @ParameterizedTest
    @CsvSource({"1, false, UNREACHABLE", "2, true, VERSION", "255, true, VERSION"})
    void aDeclinedOfferIsFollowedByMpa(int version, boolean listens, ShmAnswer.Outcome outcome) throws Exception {
        try (OfferingPeer peer = new OfferingPeer(listener, version, listens)) {
            assertThat(peer.answer()).isEqualTo(outcome);
            peer.send(OfferingPeer.request());
            request(Peer.soon()).close();
        }
    }

    @Test
    void whoTakesTheOfferBackStaysOnTcp() throws Exception {
        try (OfferingPeer peer = new OfferingPeer(listener, 1, true)) {
            peer.meet().close();
            peer.send(OfferingPeer.request());
            request(Peer.soon()).close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MAX_VALUE, RING_BYTES, RING_BYTES + RingLayout.HEADER_BYTES})
    void aSizeWithoutAFileStaysOnTcp(long bytes) throws Exception {
        try (OfferingPeer peer = new OfferingPeer(listener, 1, true)) {
            peer.meet().send(OfferingPeer.size(bytes));
            peer.send(OfferingPeer.request());
            request(Peer.soon()).close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MAX_VALUE, RING_BYTES, 2 * RING_BYTES + RingLayout.HEADER_BYTES})
    void aFileOfAnotherSizeStaysOnTcp(long said) throws Exception {
        try (OfferingPeer peer = new OfferingPeer(listener, 1, true);
                SealedFile file = SealedFile.create("a hostile peer", RingLayout.fileBytes(RING_BYTES))) {
            RingLayout.format(file.memory(), RING_BYTES);
            peer.meet().send(OfferingPeer.size(said), file);
            peer.send(OfferingPeer.request());
            request(Peer.soon()).close();
        }
    }

    @Test
    void aFileThatIsNoRingStaysOnTcp() throws Exception {
        try (OfferingPeer peer = new OfferingPeer(listener, 1, true);
                SealedFile file = SealedFile.create("a hostile peer", RingLayout.fileBytes(RING_BYTES))) {
            peer.meet().send(OfferingPeer.size(file.memory().byteSize()), file);
            peer.send(OfferingPeer.request());
            request(Peer.soon()).close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 51})
    void halfAnOfferEndsTheConnection(int octets) throws Exception {
        byte[] offer = new ShmOffer(1, 0, NAME, TOKEN).encode().array();
        try (Socket tcp = Raw.connect(listener.localAddress(), "127.0.0.1")) {
            tcp.getOutputStream().write(offer, 0, octets);
            assertThat(Raw.closedWithin(tcp, 20_000))
                    .as("closed at handshake.timeout")
                    .isTrue();
        }
    }

    @Test
    void aWrongKeyEndsTheConnection() throws Exception {
        byte[] offer = new ShmOffer(1, 0, NAME, TOKEN).encode().array();
        offer[9]++;
        try (Socket tcp = Raw.connect(listener.localAddress(), "127.0.0.1")) {
            tcp.getOutputStream().write(offer);
            assertThat(Raw.closedWithin(tcp, 20_000)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoNeverGoesOnIsClosedInTime(boolean withFile) throws Exception {
        try (OfferingPeer peer = new OfferingPeer(listener, 1, true);
                SealedFile file = SealedFile.create("a hostile peer", RingLayout.fileBytes(RING_BYTES))) {
            RingLayout.format(file.memory(), RING_BYTES);
            UnixSocket unix = peer.meet();
            if (withFile) {
                unix.send(OfferingPeer.size(file.memory().byteSize()), file);
            }
            assertThat(Raw.closedWithin(peer.tcp, 20_000))
                    .as("closed at handshake.timeout")
                    .isTrue();
        }
    }

    @Test
    void whoseFileIsRefusedGetsNone() throws Exception {
        try (OfferingPeer peer = new OfferingPeer(listener, 1, true);
                SealedFile file = SealedFile.create("a hostile peer", RingLayout.fileBytes(RING_BYTES))) {
            UnixSocket unix = peer.meet();
            unix.send(OfferingPeer.size(file.memory().byteSize()), file);
            FileMessage message = unix.receiveWithFile(ByteBuffer.allocate(9));
            while (message.octets() == 0) {
                message = unix.receiveWithFile(ByteBuffer.allocate(9));
            }
            assertThat(message).isEqualTo(new FileMessage(UnixSocket.END, null));
            peer.send(OfferingPeer.request());
            request(Peer.soon()).close();
        }
    }

    @Test
    void anOfferFromAnotherAddressIsNotFollowed() throws Exception {
        InetAddress here = Raw.addressBesideLoopback();
        try (Listener other = server.verbs.listen(new InetSocketAddress(here, 0));
                OfferingPeer peer = new OfferingPeer(other, "127.0.0.1", 1, true)) {
            assertThat(peer.answer()).isEqualTo(ShmAnswer.Outcome.UNREACHABLE);
            assertThat(peer.rendezvous.accept()).isNull();
            peer.send(OfferingPeer.request());
            other.poll(Peer.soon()).orElseThrow().close();
        }
    }
}
