package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.wire.Framing;

/**
 * How many octets a peer may have lie about at this side: the staging buffer's, and else only what belongs somewhere.
 */
class StagingTest {
    private static final int STAGING_BYTES = 512;

    private final RawPeer peer = new RawPeer(false);
    private final Guarded memory = peer.side.memory(4096);

    /** What the stream would take of the socket now. */
    private int offered() {
        Stream stream = peer.side.stream;
        int octets = stream.receiveBuffers()[0].remaining();
        assertThat(stream.receiveBufferCount()).isEqualTo(1);
        stream.received(0, peer.now);
        return octets;
    }

    @Test
    void beforeTheHeadersAreKnownItIsTheStagingBuffer() {
        assertThat(offered()).isBetween(1, STAGING_BYTES);
        byte[] announced = {(byte) 0xFF, (byte) 0xFF, (byte) 0xC1, 0x40};
        for (byte octet : announced) {
            peer.injectOctets(octet);
            assertThat(offered()).isBetween(1, STAGING_BYTES);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {600, 4096})
    void payloadIsTakenWhereItBelongsAndNotAnOctetMore(int length) {
        byte[] fpdu = Framing.fpdu(Segments.write(memory.stag(), memory.base, new byte[length]));
        int headers = fpdu.length - length - Integer.BYTES;
        peer.injectOctets(Arrays.copyOf(fpdu, headers + 1));

        assertThat(offered()).isEqualTo(length - 1);
    }

    @Test
    void payloadThatBelongsNowhereIsReadPastInTheStagingBuffer() {
        byte[] fpdu = Framing.fpdu(Segments.write(HostileFixture.UNKNOWN_STAG, 0, new byte[60_000]));
        for (int at = 0; at < fpdu.length - 1; at += 1000) {
            peer.injectOctets(Arrays.copyOfRange(fpdu, at, Math.min(fpdu.length - 1, at + 1000)));
            assertThat(offered()).isBetween(1, STAGING_BYTES);
        }
    }
}
