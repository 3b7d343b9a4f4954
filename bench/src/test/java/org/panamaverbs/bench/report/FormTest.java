package org.panamaverbs.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a form measures on a machine. */
class FormTest {
    @Test
    void hasAsManyConnectionsAsAProcessMayHave() {
        assertThat(Form.FULL.idleWithin(65_536)).containsExactly("0", "100", "1000", "10000");
        assertThat(Form.FULL.idleWithin(20_400)).containsExactly("0", "100", "1000", "10000");
        assertThat(Form.FULL.idleWithin(20_399)).containsExactly("0", "100", "1000", "9900");
        assertThat(Form.FULL.idleWithin(2_400)).containsExactly("0", "100", "1000");
        assertThat(Form.FULL.idleWithin(2_399)).containsExactly("0", "100", "900");
        assertThat(Form.FULL.idleWithin(10)).containsExactly("0");
    }

    @Test
    void isQuickUnlessFullIsAskedFor() {
        assertThat(Form.of("full")).isSameAs(Form.FULL);
        assertThat(Form.of("quick")).isSameAs(Form.QUICK);
    }
}
