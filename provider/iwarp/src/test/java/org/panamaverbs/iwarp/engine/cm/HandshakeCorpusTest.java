package org.panamaverbs.iwarp.engine.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.core.FuzzCorpus;
import org.panamaverbs.testkit.Requirement;

/** Plays what fuzzing the engine's set-up has found, and the seeds; {@code FuzzCorpusTest} does it for the core. */
class HandshakeCorpusTest {
    @Test
    @Requirement({"MPA-7.1-01", "MPA-7.1.2-2-02", "MPA-7.1.2-3-02", "MPA-7.1.5-01"})
    void handshakesReachEveryEnd() throws IOException {
        Set<String> reached = FuzzCorpus.replay("handshake", HandshakeFuzz::run);

        assertThat(reached)
                .contains("agreed", "agreed, and bytes behind", "rejected", "REJECTED", "PROTOCOL", "RESET", "broken");
    }
}
