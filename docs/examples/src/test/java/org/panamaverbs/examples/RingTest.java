package org.panamaverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RingTest {
    @Test
    void theConsumerTakesEveryRecordInOrder() {
        ExampleRun run = ExampleRun.of("ring", "--records", "20000", "--message", "Grüße", "--slots", "64");

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("consumer: record 0 says \"Grüße\"", "consumer: took 20,000 records")
                .contains("producer: 20,000 records in ");
    }

    @Test
    void aBatchMayBeLargerThanTheRing() {
        ExampleRun run = ExampleRun.of("ring", "--records", "1000", "--slots", "4", "--batch", "4096");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("took 1,000 records");
    }

    @Test
    void theRingWorksWithoutRoomForTwoBatches() {
        ExampleRun run = ExampleRun.of("ring", "--records", "5000", "--slots", "5", "--batch", "3");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("took 5,000 records");
    }

    @Test
    void aMessageThatFitsNoSlotIsRefused() {
        ExampleRun run = ExampleRun.of("ring", "--message", "x".repeat(117));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--message has at most 116 bytes");
    }
}
