package org.panamaverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RingTest {
    @Test
    void theConsumerTakesEveryRecordInOrder() {
        ExampleRun run = ExampleRun.of("ring", "--records", "20000", "--message", "Grüße", "--ring", "4");

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("consumer: record 0 says \"Grüße\"", "consumer: took 20,000 records")
                .contains("producer: 20,000 records in ");
    }

    @Test
    void aMessageMayBeAQuarterOfTheRing() {
        ExampleRun run = ExampleRun.of("ring", "--records", "1000", "--ring", "4", "--message", "x".repeat(1008));

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("took 1,000 records");
    }

    @Test
    void aMessageThatIsTooLongForTheRingIsRefused() {
        ExampleRun run = ExampleRun.of("ring", "--ring", "4", "--message", "x".repeat(1009));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--message has at most 1008 bytes");
    }
}
