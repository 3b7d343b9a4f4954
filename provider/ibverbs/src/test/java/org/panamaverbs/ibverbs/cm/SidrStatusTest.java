package org.panamaverbs.ibverbs.cm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ConnectionException.Reason;

class SidrStatusTest {
    @Test
    void tellsARejectionFromAPortWhereNobodyListens() {
        assertThat(SidrStatus.of(1).meaning()).isEqualTo(Reason.REFUSED);
        assertThat(SidrStatus.of(2).meaning()).isEqualTo(Reason.REJECTED);
        assertThat(SidrStatus.of(3).meaning()).isEqualTo(Reason.RESET);
        assertThat(SidrStatus.of(99)).isEqualTo(SidrStatus.OTHER);
        assertThat(SidrStatus.of(0)).isEqualTo(SidrStatus.OTHER);
    }
}
