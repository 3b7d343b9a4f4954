package org.panamaverbs.testkit.soak.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SendLedgerTest {
    private final List<Long> succeeded = new ArrayList<>();
    private final SendLedger ledger = new SendLedger(8, succeeded::add);

    private void post(boolean... signaled) {
        for (boolean each : signaled) {
            ledger.posted(each);
        }
    }

    @Test
    void takesASignaledSuccessForThoseBeforeIt() {
        post(false, false, true);

        assertThat(ledger.completed(2, true)).isEqualTo(Verdict.DUE);
        assertThat(succeeded).containsExactly(0L, 1L, 2L);
        assertThat(ledger.implied()).isEqualTo(2);
        assertThat(ledger.awaits()).isFalse();
    }

    @Test
    void findsADroppedCompletion() {
        post(true, true);

        assertThat(ledger.completed(1, true)).isEqualTo(Verdict.REORDERED);
        assertThat(ledger.lost()).isEqualTo(1);
    }

    @Test
    void findsADroppedFlushAlsoOfAnUnsignaledRequest() {
        post(true, false, true);

        assertThat(ledger.completed(0, false)).isEqualTo(Verdict.DUE);
        assertThat(ledger.awaits()).isTrue();
        assertThat(ledger.completed(2, false)).isEqualTo(Verdict.REORDERED);
        assertThat(ledger.lost()).isEqualTo(1);
    }

    @Test
    void findsAFlushThatNeverComes() {
        post(true, false);
        ledger.completed(0, false);
        ledger.finish();

        assertThat(ledger.lost()).isEqualTo(1);
    }

    @Test
    void findsADuplicate() {
        post(false, true);
        ledger.completed(1, true);

        assertThat(ledger.completed(1, true)).isEqualTo(Verdict.DUPLICATED);
        assertThat(ledger.completed(0, false)).isEqualTo(Verdict.DUPLICATED);
    }

    @Test
    void findsACompletionOfNothing() {
        assertThat(ledger.completed(0, true)).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void findsASuccessThatNobodyAskedFor() {
        post(false);

        assertThat(ledger.completed(0, true)).isEqualTo(Verdict.UNASKED);
    }

    @Test
    void findsASuccessAfterAFailure() {
        post(true, true);
        ledger.completed(0, false);

        assertThat(ledger.completed(1, true)).isEqualTo(Verdict.REORDERED);
    }

    @Test
    void takesUnsignaledRequestsWithoutAFailureForDoneAtTheEnd() {
        post(true, false);
        ledger.completed(0, true);
        ledger.finish();

        assertThat(ledger.lost()).isZero();
        assertThat(ledger.implied()).isEqualTo(1);
    }
}
