package org.panamaverbs.cli.decode.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.panamaverbs.cli.decode.tcp.Budget;
import org.panamaverbs.iwarp.wire.Crc32c;

/** What a search costs, counted in judgements, not in time. */
class SearchTest {
    private static final int PERIOD = 128;
    private static final int ULPDU_LENGTH = 49_530;
    /** The third FPDU of the first chain begins 99,072 octets behind the first. */
    private static final int OCTETS = 100_000;

    /** Octets in which every so many can be the first of an FPDU: its length and a Write. */
    private static byte[] trap() {
        byte[] trap = new byte[OCTETS];
        for (int at = 0; at + 4 <= OCTETS; at += PERIOD) {
            trap[at] = (byte) (ULPDU_LENGTH >>> 8);
            trap[at + 1] = (byte) ULPDU_LENGTH;
            trap[at + 2] = (byte) 0xC1;
            trap[at + 3] = 0x40;
        }
        return trap;
    }

    @Test
    void judgesAPlaceOnlyWhenThereIsMoreToTell() {
        StreamBuffer buffer = new StreamBuffer(new Budget(256L << 20));
        FpduReader reader = new FpduReader(buffer, new Crc32c());
        Search search = new Search(buffer, reader, true, Crc.OFF, true, false, 1 << 20);
        byte[] octets = trap();
        int found = Search.NOT_FOUND;

        for (int at = 0; at < OCTETS && found == Search.NOT_FOUND; at++) {
            assertThat(buffer.append(octets, at, 1, at, at)).isTrue();
            found = search.find(false);
        }

        assertThat(found).isNotEqualTo(Search.NOT_FOUND);
        // At its head, at its end, and at the end of each FPDU of its chain.
        assertThat(search.judgements()).isBetween(2L, 4L * (OCTETS / PERIOD + 1));
    }
}
