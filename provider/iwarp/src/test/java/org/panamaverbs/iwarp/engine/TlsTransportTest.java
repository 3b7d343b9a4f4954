package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Random;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.engine.transport.TlsTransport;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.testkit.Requirement;

/** Bytes through TLS, however the wire cuts them and whatever it brings. */
@Timeout(120)
class TlsTransportTest {
    private static byte[] random(int length) {
        byte[] data = new byte[length];
        new Random(length).nextBytes(data);
        return data;
    }

    /** Reads until nothing more comes. */
    private static int drain(TlsTransport from, ByteBuffer into) throws IOException {
        int total = 0;
        int octets = 1;
        while (octets > 0 || from.hasInput()) {
            octets = from.read(into);
            total += Math.max(0, octets);
        }
        return total;
    }

    // ---- splits ---------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {1, 13, 1000, 40_000})
    void anySplitGivesTheSame(int chunk) throws Exception {
        byte[] data = random(20_000);
        try (TlsLink link = new TlsLink(chunk).open()) {
            TlsLink.write(link.server, data);
            ByteBuffer received = ByteBuffer.allocate(data.length);
            link.receive(received);

            assertThat(received.array()).isEqualTo(data);
            assertThat(link.client.hasInput()).isFalse();
        }
    }

    @Test
    void readsAllThatIsThereWithoutMoreOfTheWire() throws Exception {
        try (TlsLink link = new TlsLink(60_000).open()) {
            for (int i = 0; i < 200; i++) {
                TlsLink.write(link.server, random(100 + i));
            }
            while (link.toClient() > 0) {
                // All of it is in the client's socket.
            }
            ByteBuffer received = ByteBuffer.allocate(200 * 300);
            ByteBuffer first = ByteBuffer.allocate(7);

            assertThat(link.client.read(first)).isEqualTo(7);
            assertThat(link.client.hasInput()).as("the channel will not tell").isTrue();
            assertThat(7 + drain(link.client, received)).isEqualTo(200 * 100 + 199 * 200 / 2);
            assertThat(link.client.hasInput()).isFalse();
        }
    }

    @Test
    void waitsForTheRestOfARecordWithoutSpinning() throws Exception {
        try (TlsLink link = new TlsLink(10).open()) {
            TlsLink.write(link.server, random(100));
            link.toClient();

            assertThat(link.client.read(ByteBuffer.allocate(100))).isZero();
            assertThat(link.client.hasInput())
                    .as("more can only come by the channel")
                    .isFalse();
        }
    }

    @Test
    void takesNoMoreThanTheWireAndGoesOn() throws Exception {
        byte[] data = random(8 << 20);
        ByteBuffer received = ByteBuffer.allocate(data.length);
        ByteBuffer[] source = {ByteBuffer.wrap(data, 0, 5), ByteBuffer.wrap(data, 5, data.length - 5)};
        IoVector both = IoVector.of(source);
        try (TlsLink link = new TlsLink(60_000).open()) {
            boolean blocked = false;
            for (long i = 0; received.hasRemaining(); i++) {
                int before = source[1].position();
                link.server.write(both);
                if (source[1].hasRemaining() && source[1].position() == before) {
                    blocked = true;
                    assertThat(link.server.isBlocked()).isTrue();
                    for (int moves = 0; moves < 10; moves++) {
                        link.toClient();
                        link.client.read(received);
                    }
                } else if (!source[1].hasRemaining()) {
                    link.toClient();
                    link.client.read(received);
                }
                TlsLink.bound(i);
            }
            assertThat(blocked).as("it did not fit at once").isTrue();
            assertThat(received.array()).isEqualTo(data);
        }
    }

    /** As where it is closed while the engine takes its bytes. */
    @Test
    void memoryThatIsClosedIsNoFailureOfTlsAndNothingOfItIsSentInTheClear() throws Exception {
        try (TlsLink link = new TlsLink(60_000).open()) {
            while (link.toClient() > 0) {
                // What belongs to the set-up is not looked at.
            }
            Arena arena = Arena.ofShared();
            MemorySegment memory = arena.allocate(1000);
            IoVector from = new IoVector(2);
            from.add(ByteBuffer.wrap(random(1000)), MemorySegment.NULL);
            from.add(memory.asByteBuffer(), memory.asSlice(0, 0));
            arena.close();

            link.server.write(from);

            assertThat(from.moved()).isZero();
            assertThat(link.server.flush()).isTrue();
            assertThat(link.toClient()).isZero();
        }
    }

    // ---- ends -----------------------------------------------------------------------------------------------------

    @Test
    void endsEachDirectionAlone() throws Exception {
        try (TlsLink link = new TlsLink(10_000).open()) {
            TlsLink.write(link.server, random(100));
            assertThat(link.server.shutdownOutput()).isTrue();
            while (link.toClient() >= 0) {
                TlsLink.bound(0);
            }
            ByteBuffer received = ByteBuffer.allocate(200);

            assertThat(link.client.read(received)).isEqualTo(100);
            assertThat(link.client.hasInput()).as("the end").isTrue();
            assertThat(link.client.read(received)).isNegative();
            assertThat(link.client.hasInput()).isFalse();

            TlsLink.write(link.client, random(50));
            assertThat(link.client.shutdownOutput()).isTrue();
            while (link.toServer() >= 0) {
                TlsLink.bound(0);
            }
            assertThat(link.server.read(received)).isEqualTo(50);
            assertThat(link.server.read(received)).isNegative();
        }
    }

    @Test
    @Requirement("MPA-8-1-01")
    void cutOffIsNoEnd() throws Exception {
        try (TlsLink link = new TlsLink(10_000).open()) {
            TlsLink.write(link.server, random(100));
            while (link.toClient() > 0) {
                TlsLink.bound(0);
            }
            link.cutClientOff();
            ByteBuffer received = ByteBuffer.allocate(200);
            while (received.position() < 100) {
                link.client.read(received);
            }
            assertThatThrownBy(() -> readUntilItThrows(link.client))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("close_notify");
        }
    }

    private static void readUntilItThrows(Transport from) throws IOException {
        for (long i = 0; from.read(ByteBuffer.allocate(8)) == 0; i++) {
            TlsLink.bound(i);
        }
    }

    // ---- key updates ----------------------------------------------------------------------------------------------

    @Test
    void answersKeyUpdates() throws Exception {
        try (TlsLink link = new TlsLink(10_000).open()) {
            while (link.toServer() > 0 || link.toClient() > 0) {
                link.client.read(ByteBuffer.allocate(8));
            }
            // TLS 1.3 has no renegotiation: to begin again is to ask for new keys of both sides.
            link.serverEngine.beginHandshake();
            TlsLink.write(link.server, random(100));
            ByteBuffer received = ByteBuffer.allocate(100);
            link.receive(received);
            assertThat(received.array()).isEqualTo(random(100));
            assertThat(link.toServer()).as("the answer").isPositive();

            TlsLink.write(link.client, random(60));
            ByteBuffer back = ByteBuffer.allocate(60);
            for (long i = 0; back.hasRemaining(); i++) {
                link.toServer();
                link.server.read(back);
                TlsLink.bound(i);
            }
            assertThat(back.array()).isEqualTo(random(60));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8})
    void givesUpOnAPeerThatSendsLittleButKeyUpdates(int recordsWithData) throws Exception {
        try (TlsLink link = new TlsLink(10_000).open()) {
            assertThatThrownBy(() -> updateKeysAndSend(link, recordsWithData))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("without data");
        }
    }

    @Test
    void goesOnWithAPeerThatUpdatesItsKeysNowAndThen() throws Exception {
        try (TlsLink link = new TlsLink(10_000).open()) {
            // Each costs up to two records without data: the JDK's engines answer each other's.
            updateKeysAndSend(link, 64);

            assertThat(link.client.hasInput()).isFalse();
        }
    }

    /** The server asks for new keys 100 times, with some bytes in records of their own after each. */
    private static void updateKeysAndSend(TlsLink link, int recordsWithData) throws IOException {
        ByteBuffer received = ByteBuffer.allocate(100);
        for (int i = 0; i < 100; i++) {
            link.serverEngine.beginHandshake();
            keyUpdate(link);
            for (int j = 0; j < recordsWithData; j++) {
                TlsLink.write(link.server, (byte) j);
            }
            received.clear();
            for (long j = 0; j == 0 || received.position() < recordsWithData; j++) {
                link.toClient();
                link.client.read(received);
                link.toServer();
                link.server.read(received.duplicate());
                TlsLink.bound(j);
            }
        }
    }

    private static void keyUpdate(TlsLink link) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(40_000);
        link.serverEngine.wrap(ByteBuffer.allocate(0), record);
        byte[] octets = new byte[record.flip().remaining()];
        record.get(octets);
        link.forge(octets);
    }

    // ---- what no peer sends -----------------------------------------------------------------------------------------

    @Test
    @Requirement("DDP-8.4-01")
    void refusesARecordThatComesTwice() throws Exception {
        ByteBuffer received = ByteBuffer.allocate(100);
        try (TlsLink link = new TlsLink(10_000).open()) {
            while (link.toClient() > 0) {
                link.client.read(received);
            }
            TlsLink.write(link.server, random(100));
            for (long i = 0; link.toClient() == 0; i++) {
                TlsLink.bound(i);
            }
            link.repeat();
            link.receive(received);

            assertThat(received.array()).isEqualTo(random(100));
            assertThatThrownBy(() -> readUntilItThrows(link.client)).isInstanceOf(SSLException.class);
        }
    }

    @Test
    @Requirement("DDP-8.4-01")
    void refusesARecordThatWasTamperedWith() throws Exception {
        try (TlsLink link = new TlsLink(10_000).open()) {
            link.forge(new byte[] {0x17, 0x03, 0x03, 0, 20});
            link.forge(random(20));

            assertThatThrownBy(() -> readUntilItThrows(link.client)).isInstanceOf(SSLException.class);
            assertThat(link.toServer()).as("the alert").isPositive();
        }
    }

    @Test
    void refusesARecordOfMoreThanTlsHas() throws Exception {
        try (TlsLink link = new TlsLink(10_000).open()) {
            link.forge(new byte[] {0x17, 0x03, 0x03, 0x7F, (byte) 0xFF});

            assertThatThrownBy(() -> readUntilItThrows(link.client)).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void refusesGarbageForAHandshake() throws Exception {
        try (TlsLink link = new TlsLink(10_000)) {
            link.forge(random(300));

            assertThatThrownBy(() -> {
                        for (long i = 0; link.client.open(() -> {}) != Transport.OPEN; i++) {
                            TlsLink.bound(i);
                        }
                    })
                    .isInstanceOf(SSLException.class);
        }
    }

    /** Whoever waits for the end of such a peer has nothing to read, and would be called for as long as it likes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsThrownAwayIsNothingToRead(boolean open) throws Exception {
        try (TlsLink link = new TlsLink(10_000)) {
            if (open) {
                link.open();
                link.forge(new byte[] {0x17, 0x03, 0x03, 0, 20});
                link.forge(random(20));
                assertThatThrownBy(() -> readUntilItThrows(link.client)).isInstanceOf(SSLException.class);
            } else {
                link.forge(random(300));
                assertThatThrownBy(() -> {
                            for (long i = 0; link.client.open(() -> {}) != Transport.OPEN; i++) {
                                TlsLink.bound(i);
                            }
                        })
                        .isInstanceOf(SSLException.class);
            }

            assertThat(link.client.discard()).isFalse();
            assertThat(link.client.await(Watch.READ, false)).isEqualTo(Watch.READ);
        }
    }

    // Without keys anybody on the way can send these: user_canceled, then close_notify.
    @Test
    void aSetupThatIsCancelledIsNotOpen() throws Exception {
        try (TlsLink link = new TlsLink(10_000)) {
            assertThat(link.client.open(() -> {})).isEqualTo(Watch.READ);
            link.forge(new byte[] {0x15, 0x03, 0x03, 0, 2, 1, 90, 0x15, 0x03, 0x03, 0, 2, 1, 0});

            assertThatThrownBy(() -> {
                        for (long i = 0; link.client.open(() -> {}) != Transport.OPEN; i++) {
                            TlsLink.bound(i);
                        }
                    })
                    .isInstanceOf(EOFException.class);
            assertThat(link.client.session()).isNull();
        }
    }

    // The header of its message announces 16 MiB, and all that comes is in records of the right size.
    @Test
    void refusesAHandshakeMessageThatNeverEnds() throws Exception {
        byte[] record = new byte[5 + 16_000];
        record[0] = 0x16;
        record[1] = 0x03;
        record[2] = 0x03;
        record[3] = (byte) (16_000 >> 8);
        record[4] = (byte) 16_000;
        byte[] first = record.clone();
        first[5] = 0x02;
        first[6] = first[7] = first[8] = (byte) 0xFF;
        try (TlsLink link = new TlsLink(10_000)) {
            assertThatThrownBy(() -> {
                        link.client.open(() -> {});
                        for (int i = 0; i < 64; i++) {
                            link.forge(i == 0 ? first : record);
                            link.client.open(() -> {});
                        }
                    })
                    .isInstanceOf(SSLException.class);
        }
    }

    // RFC 8446 §5: a change_cipher_spec is dropped without further processing, but not for ever.
    @Test
    void refusesASetupThatNeverEnds() throws Exception {
        byte[] records = new byte[6 * 500];
        for (int i = 0; i < records.length; i += 6) {
            System.arraycopy(new byte[] {0x14, 0x03, 0x03, 0, 1, 1}, 0, records, i, 6);
        }
        try (TlsLink link = new TlsLink(10_000)) {
            assertThatThrownBy(() -> {
                        link.client.open(() -> {});
                        link.forge(records);
                        for (long i = 0; i < 1_000_000; i++) {
                            link.client.open(() -> {});
                        }
                    })
                    .isInstanceOf(SSLException.class);
        }
    }
}
