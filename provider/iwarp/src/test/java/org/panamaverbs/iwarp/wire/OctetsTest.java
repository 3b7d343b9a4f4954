package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
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
}
