package org.panamaverbs.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.panamaverbs.bench.result.Form;

/** How much is measured on a machine. */
class AmountsTest {
    private static final Amounts FULL = Amounts.of(Form.FULL);

    @Test
    void hasAsManyConnectionsAsAProcessMayHave() {
        assertThat(FULL.idleWithin(65_536)).containsExactly("0", "100", "1000", "10000");
        assertThat(FULL.idleWithin(20_400)).containsExactly("0", "100", "1000", "10000");
        assertThat(FULL.idleWithin(20_399)).containsExactly("0", "100", "1000", "9900");
        assertThat(FULL.idleWithin(2_400)).containsExactly("0", "100", "1000");
        assertThat(FULL.idleWithin(2_399)).containsExactly("0", "100", "900");
        assertThat(FULL.idleWithin(10)).containsExactly("0");
    }
}
