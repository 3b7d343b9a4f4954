package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OctetsTest {
    @Test
    void keepsItsOwnCopy() {
        byte[] source = {1, 2, (byte) 0xFF};
        Octets octets = Octets.of(source);
        source[0] = 9;
        octets.toByteArray()[1] = 9;
        assertThat(octets).hasToString("0102ff");
        assertThat(octets.at(2)).isEqualTo(255);
        assertThat(octets.size()).isEqualTo(3);
        assertThat(octets.asSegment().isReadOnly()).isTrue();
        assertThat(octets.asSegment().byteSize()).isEqualTo(3);
    }

    @Test
    void comparesByContent() {
        Octets octets = Octets.of((byte) 1, (byte) 2);
        assertThat(Octets.copyOf(MemorySegment.ofArray(new byte[] {0, 1, 2, 3}), 1, 2))
                .isEqualTo(octets)
                .hasSameHashCodeAs(octets);
        assertThat(octets).isNotEqualTo(Octets.of((byte) 1)).isNotEqualTo(Octets.EMPTY);
        assertThat(Octets.of()).isSameAs(Octets.EMPTY);
        assertThat(Octets.EMPTY.isEmpty()).isTrue();
    }

    @Test
    void quotesTextAndNothingElse() {
        assertThat(Octets.of("GET /\r\n".getBytes(StandardCharsets.US_ASCII)).quoted())
                .isEqualTo("\"GET /\\r\\n\"");
        assertThat(Octets.of("a\t\"\\~".getBytes(StandardCharsets.US_ASCII)).quoted())
                .isEqualTo("\"a\\t\\\"\\\\~\"");
        assertThat(Octets.of((byte) 'a', (byte) 0x1B).quoted()).isEmpty();
        assertThat(Octets.of((byte) 'a', (byte) 0x7F).quoted()).isEmpty();
        assertThat(Octets.of((byte) 'a', (byte) 0xC3).quoted()).isEmpty();
        assertThat(Octets.EMPTY.quoted()).isEmpty();
    }
}
