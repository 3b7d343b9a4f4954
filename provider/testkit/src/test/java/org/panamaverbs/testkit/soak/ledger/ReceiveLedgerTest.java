package org.panamaverbs.testkit.soak.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReceiveLedgerTest {
    private final ReceiveLedger ledger = new ReceiveLedger();

    @Test
    void takesThemInOrder() {
        ledger.posted();
        ledger.posted();

        assertThat(ledger.completed(0, true)).isEqualTo(Verdict.DUE);
        assertThat(ledger.completed(1, false)).isEqualTo(Verdict.DUE);
        assertThat(ledger.waiting()).isZero();
        assertThat(ledger.flushed()).isEqualTo(1);
    }

    @Test
    void findsADroppedFlush() {
        ledger.posted();
        ledger.posted();

        assertThat(ledger.completed(1, false)).isEqualTo(Verdict.REORDERED);
        assertThat(ledger.lost()).isEqualTo(1);
    }

    @Test
    void findsAFlushThatNeverComes() {
        ledger.posted();
        ledger.finish();

        assertThat(ledger.lost()).isEqualTo(1);
    }

    @Test
    void findsDuplicatesAndCompletionsOfNothing() {
        ledger.posted();
        ledger.completed(0, true);

        assertThat(ledger.completed(0, true)).isEqualTo(Verdict.DUPLICATED);
        assertThat(ledger.completed(1, true)).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void findsASuccessAfterAFlush() {
        ledger.posted();
        ledger.posted();
        ledger.completed(0, false);

        assertThat(ledger.completed(1, true)).isEqualTo(Verdict.REORDERED);
    }
}
