package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.wire.Framing;

/**
 * How many octets a peer may have lie about at this side: what fits into staging, and else only what belongs somewhere.
 */
class StagingTest {
    private static final int STAGING_BYTES = 1024;

    private final RawPeer peer = new RawPeer(false);
    private final Guarded memory = peer.side.memory(4096);
    private final Staging staging = new Staging(STAGING_BYTES);

    /** What the stream would take of the socket now, place by place. */
    private int[] offered() {
        Stream stream = peer.side.stream;
        IoVector into = stream.receiveInto(staging);
        int[] octets = Arrays.stream(into.buffers(), into.first(), into.end())
                .mapToInt(ByteBuffer::remaining)
                .toArray();
        stream.received(0, peer.now);
        return octets;
    }

    @Test
    void beforeTheHeadersAreKnownItIsStaging() {
        assertThat(offered()).containsExactly(STAGING_BYTES);
        byte[] announced = {(byte) 0xFF, (byte) 0xFF, (byte) 0xC1, 0x40};
        for (byte octet : announced) {
            peer.injectOctets(octet);
            assertThat(offered()).containsExactly(STAGING_BYTES);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {600, 4096})
    void payloadIsTakenWhereItBelongsWithLittleOfWhatFollows(int length) {
        byte[] fpdu = Framing.fpdu(Segments.write(memory.stag(), memory.base, new byte[length]));
        int headers = fpdu.length - length - Integer.BYTES;
        peer.injectOctets(Arrays.copyOf(fpdu, headers + 1));

        assertThat(offered()).containsExactly(length - 1, Staging.BEHIND_BYTES);
    }

    @Test
    void payloadThatBelongsNowhereIsReadPastInStaging() {
        byte[] fpdu = Framing.fpdu(Segments.write(HostileFixture.UNKNOWN_STAG, 0, new byte[60_000]));
        for (int at = 0; at < fpdu.length - 1; at += 1000) {
            peer.injectOctets(Arrays.copyOfRange(fpdu, at, Math.min(fpdu.length - 1, at + 1000)));
            assertThat(offered()).containsExactly(STAGING_BYTES);
        }
    }

    @Test
    void manyOctetsAreTakenOnlyOfPeersThatSendMany() {
        Staging large = new Staging(Staging.BYTES);
        Stream stream = peer.side.stream;
        byte[] many = new byte[0];
        byte[] fpdu = Framing.fpdu(Segments.write(memory.stag(), memory.base, new byte[100]));
        while (many.length < Staging.BYTES + fpdu.length) {
            many = Arrays.copyOf(many, many.length + fpdu.length);
            System.arraycopy(fpdu, 0, many, many.length - fpdu.length, fpdu.length);
        }

        int few = stream.receiveInto(large).buffer(0).remaining();
        assertThat(few).isLessThan(Staging.BYTES / 4);
        large.view.put(many, 0, few);
        stream.received(few, peer.now);
        assertThat(stream.receiveInto(large).buffer(0).remaining()).isEqualTo(Staging.BYTES);
        large.view.put(many, few, 10);
        stream.received(10, peer.now);
        assertThat(stream.receiveInto(large).buffer(0).remaining()).isEqualTo(few);
        stream.received(0, peer.now);
        assertThat(peer.terminates()).isEmpty();
    }

    @Test
    void hasRoomForATrailerAndAHeader() {
        assertThatThrownBy(() -> new Staging(63))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 64");
    }
}
