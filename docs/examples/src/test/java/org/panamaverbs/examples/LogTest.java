package org.panamaverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LogTest {
    @Test
    void theLogGoesOnWithoutAReplicaThatLeft() {
        ExampleRun run = ExampleRun.of("log", "--entries", "400", "--fail", "100");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("replica 3: leaves without a word", "leader: replica 3 is gone after ")
                .contains("leader: 400 entries safe in ")
                .contains("replica 1: has 400 entries, all whole", "replica 2: has 400 entries, all whole")
                .doesNotContain("replica 3: has");
    }

    @Test
    void allReplicasHaveTheLogIfNoneFails() {
        ExampleRun run = ExampleRun.of("log", "--entries", "100", "--fail", "0");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("replica 3: has 100 entries, all whole").doesNotContain("is gone");
    }

    /** RFC 5737: an address that no machine has. */
    @Test
    void theReplicasListenAtTheHostThatIsGiven() {
        ExampleRun run = ExampleRun.of("log", "--entries", "10", "--fail", "0", "--host", "192.0.2.1");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("192.0.2.1");
    }

    @Test
    void aLeaderIsToldWhereItsReplicasAre() {
        assertThat(ExampleRun.of("log", "--role", "client").err()).contains("--role client needs --at");
        assertThat(ExampleRun.of("log", "--role", "client", "--at", "here:1,there")
                        .err())
                .contains("--at has HOST:PORT,HOST:PORT,HOST:PORT, not there");
    }
}
