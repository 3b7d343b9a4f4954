package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.setup.Negotiated;

/** An initiator whose peer may have overlooked what was sent first, and looks again when more comes. */
class ProbeWriteTest {
    private static final long MILLI = 1_000_000L;

    private final RawPeer peer = new RawPeer(
            StreamConfig.builder()
                    .qpNumber(0x33)
                    .domainId(Side.DOMAIN)
                    .maxSendWr(16)
                    .lingerNanos(Side.LINGER_NANOS)
                    .probe(true)
                    .build(),
            Negotiated.builder(true).crc(true).depths(4).emss(Pair.EMSS).build(),
            new StagTable(64, Side.randomStags(5)));
    private final long start = peer.now;

    private void send() {
        peer.side.send(1, peer.side.memory(64), 0, 5);
        peer.settle();
        assertThat(peer.answers).hasSize(1);
    }

    @Test
    void aSilentPeerIsProbedThreeTimes() {
        send();
        for (long millis : new long[] {20, 100, 500}) {
            peer.answers.clear();
            peer.at(start + millis * MILLI - 1);
            assertThat(peer.answers).as("before %d ms", millis).isEmpty();
            peer.at(start + millis * MILLI);
            assertThat(peer.answers)
                    .as("after %d ms", millis)
                    .singleElement()
                    .matches(segment -> segment.tagged() && segment.opcode() == Segments.WRITE)
                    .matches(segment -> segment.payload().length == 0);
        }
        assertThat(peer.side.stream.hasDeadline()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 20, 100})
    void aPeerThatHasSpokenIsProbedNoMore(long millis) {
        send();
        peer.at(start + millis * MILLI);
        peer.answers.clear();
        peer.inject(Segments.write(1, 0));
        assertThat(peer.side.stream.hasDeadline()).isFalse();
        peer.at(start + 1_000 * MILLI);
        assertThat(peer.answers).isEmpty();
    }

    @Test
    void whereNothingWasSentThereIsNothingToLookAt() {
        peer.at(start + 1_000 * MILLI);
        assertThat(peer.answers).isEmpty();
        assertThat(peer.side.stream.hasDeadline()).isFalse();
    }
}
