package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.Crc32c;
import org.panamaverbs.testkit.Requirement;

/** What a stream puts around its segments, walked octet by octet. */
class SentFpdusTest {
    private static final int MARKER_PERIOD = 512;
    private static final int MESSAGES = 250;

    private static byte[] sent(boolean crc, boolean markers) {
        Side side = new Side(3, new Pipe(), new Pipe());
        side.stream.start(
                Negotiated.builder(true)
                        .crc(crc)
                        .markersOut(markers)
                        .depths(4)
                        .emss(Pair.EMSS)
                        .build(),
                0);
        Guarded local = side.memory(4096).pattern(1);
        for (int i = 0; i < MESSAGES; i++) {
            side.send(i, local, 0, 7 + 97L * i % 700);
            // They are short, so that a marker comes to stand in front of an FPDU now and then.
            side.send(MESSAGES + i, local, 0, 0);
        }
        side.settle(0);
        assertThat(side.sends.list).hasSize(2 * MESSAGES);
        return side.out.drain();
    }

    // RFC 5044 §4.3, §4.4.
    @Test
    @Requirement({
        "MPA-3-01",
        "MPA-4.1-01",
        "MPA-4.1-03",
        "MPA-4.1-05",
        "MPA-4.2-01",
        "MPA-4.2-03",
        "MPA-4.3-01",
        "MPA-4.3-02",
        "MPA-4.3-03",
        "MPA-4.3-05",
        "MPA-4.3-06",
        "MPA-4.3-07",
        "MPA-4.3-08",
        "MPA-4.3-09",
        "MPA-4.4-09",
        "MPA-4.1-02"
    })
    void putsMarkersAtTheirPlacesAndIntoTheCrc() {
        byte[] all = sent(true, true);
        ByteBuffer octets = ByteBuffer.wrap(all);
        int between = 0;
        int inside = 0;
        int last = 0;
        for (int at = 0; at < all.length; ) {
            int header = at;
            if (at % MARKER_PERIOD == 0) {
                assertThat(octets.getInt(at))
                        .as("marker between FPDUs at %d", at)
                        .isZero();
                header += 4;
                between++;
            }
            int ulpdu = octets.getShort(header) & 0xFFFF;
            int pad = -(2 + ulpdu) & 3;
            int plain = 2 + ulpdu + pad + 4;
            int end = header;
            for (int taken = 0; taken < plain; ) {
                if (end % MARKER_PERIOD == 0) {
                    assertThat(octets.getInt(end)).as("marker at %d", end).isEqualTo(end - header);
                    end += 4;
                    inside++;
                } else {
                    boolean ofPad = taken >= 2 + ulpdu && taken < 2 + ulpdu + pad;
                    assertThat(ofPad && all[end] != 0).as("pad at %d", end).isFalse();
                    end++;
                    taken++;
                }
            }
            assertCrc(all, at, end);
            last = end;
            at = end;
        }
        assertThat(last).isEqualTo(all.length);
        assertThat(between).as("markers between FPDUs").isGreaterThan(1);
        assertThat(inside).isGreaterThan(50);
    }

    private static void assertCrc(byte[] all, int from, int end) {
        MemorySegment segment = MemorySegment.ofArray(all);
        Crc32c crc = new Crc32c();
        crc.update(segment, from, end - 4L - from);
        assertThat(crc.matches(segment, end - 4L))
                .as("CRC of the FPDU at %d", from)
                .isTrue();
    }

    @Test
    @Requirement({"MPA-4.1-06", "MPA-7.1.1-05"})
    void keepsTheCrcFieldIfNobodyWantsCrcs() {
        byte[] with = sent(true, false);
        byte[] without = sent(false, false);
        assertThat(without).hasSameSizeAs(with);
        ByteBuffer octets = ByteBuffer.wrap(without);
        for (int at = 0; at < without.length; ) {
            int ulpdu = octets.getShort(at) & 0xFFFF;
            int end = at + 2 + ulpdu + (-(2 + ulpdu) & 3);
            assertThat(java.util.Arrays.equals(without, at, end, with, at, end))
                    .as("FPDU at %d", at)
                    .isTrue();
            at = end + 4;
        }
    }
}
