package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class STagTest {
    @Test
    void keepsItsValue() {
        assertThat(STag.of(0xCAFE0100).value()).isEqualTo(0xCAFE0100);
    }
}
