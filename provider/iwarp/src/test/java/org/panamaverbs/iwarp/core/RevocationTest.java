package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.testkit.Requirement;

/**
 * Revocation while the socket is at the memory: it is complete no sooner than the socket is done, and then nothing gets
 * in or out any more (RFC 5040 §8.1.1). {@code RevocationRaceTest} tries the same with threads.
 */
class RevocationTest {
    private static final int LENGTH = 2000;
    private static final int HALF = LENGTH / 2;
    private static final byte PEERS = 0x11;
    private static final byte OWNERS = 0x77;

    private static byte[] filled(byte value) {
        byte[] octets = new byte[LENGTH];
        Arrays.fill(octets, value);
        return octets;
    }

    @Test
    @Requirement("RDMAP-8.1.1-6-01")
    void lastsUntilWhatIsBeingReceivedIsThere() {
        RawPeer peer = new RawPeer(false);
        Guarded memory = peer.side.memory(LENGTH);
        byte[] fpdu = Framing.fpdu(Segments.write(memory.stag(), memory.base, filled(PEERS)));
        int headers = fpdu.length - LENGTH - Integer.BYTES;
        peer.injectOctets(Arrays.copyOf(fpdu, headers + HALF));
        Stream stream = peer.side.stream;

        assertThat(stream.receiveInto(new Staging(Staging.BYTES)).buffer(0).remaining())
                .isEqualTo(HALF);
        assertThat(memory.region.revoke()).isTrue();
        assertThat(memory.region.quiescent()).as("while the socket may write").isFalse();
        stream.received(0, peer.now);
        assertThat(memory.region.quiescent()).isTrue();

        memory.region.segment().fill(OWNERS);
        peer.injectOctets(Arrays.copyOfRange(fpdu, headers + HALF, fpdu.length));
        assertThat(memory.bytes()).containsOnly(OWNERS);
        assertThat(peer.terminates())
                .singleElement()
                .matches(terminate -> terminate.code().equals("1/1/00"));
        peer.side.assertGuards();
    }

    @Test
    @Requirement("RDMAP-8.1.1-6-01")
    void lastsUntilWhatIsBeingSentIsGone() {
        RawPeer peer =
                new RawPeer(Negotiated.builder(true).depths(4).emss(Pair.EMSS).build());
        Guarded memory = peer.side.memory(LENGTH);
        memory.region.segment().fill(PEERS);
        peer.fromStream.window = 0;
        peer.inject(Segments.readRequest(1, 1, 0, LENGTH, memory.stag(), memory.base));
        Stream stream = peer.side.stream;

        assertThat(stream.transmit(peer.now).isEmpty()).isFalse();
        assertThat(memory.region.revoke()).isTrue();
        assertThat(memory.region.quiescent()).as("while the socket may read").isFalse();
        stream.sent(0, peer.now);
        assertThat(memory.region.quiescent()).isTrue();

        memory.region.segment().fill(OWNERS);
        peer.fromStream.window = Long.MAX_VALUE;
        while (peer.side.step(peer.now)) {
            assertThat(peer.fromStream.drain()).doesNotContain(OWNERS);
        }
        assertThat(peer.fromStream.drain()).doesNotContain(OWNERS);
    }

    // Whoever registers memory that is not pinned against its owner
    // finds it treated as a revoked STag, and nothing that waits.
    @Test
    void letsGoOfMemoryThatItsOwnerClosesWhileItIsReceivedInto() {
        RawPeer peer = new RawPeer(false);
        Arena arena = Arena.ofShared();
        Region region = Objects.requireNonNull(
                peer.side.stags.enable(arena.allocate(LENGTH), 0, Guarded.ALL, Side.DOMAIN), "no room");
        byte[] fpdu = Framing.fpdu(Segments.write(region.stag(), 0, filled(PEERS)));
        int headers = fpdu.length - LENGTH - Integer.BYTES;
        peer.injectOctets(Arrays.copyOf(fpdu, headers + HALF));
        Stream stream = peer.side.stream;

        assertThat(stream.receiveInto(new Staging(Staging.BYTES)).buffer(0).remaining())
                .isEqualTo(HALF);
        arena.close();
        stream.received(HALF, peer.now);
        assertThat(region.revoke()).isTrue();
        assertThat(region.quiescent()).isTrue();
        peer.injectOctets(Arrays.copyOfRange(fpdu, headers + HALF, fpdu.length));
        assertThat(peer.terminates())
                .singleElement()
                .matches(terminate -> terminate.code().equals("1/1/00"));
    }
}
