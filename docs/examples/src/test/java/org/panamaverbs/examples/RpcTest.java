package org.panamaverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class RpcTest {
    /** All receives are taken by calls at once here: the queue has exactly one for each client. */
    @Test
    void aThousandClientsShareTheReceives() {
        ExampleRun run = ExampleRun.of("rpc", "--calls", "3", "--timeout", "120");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("server: 3,000 calls of 1,000 clients, 1,000 at once, on one thread")
                .contains("clients: 3,000 calls in ");
    }
}
