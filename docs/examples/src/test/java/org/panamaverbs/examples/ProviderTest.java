package org.panamaverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples about other ways to connect and other providers. */
@Timeout(120)
class ProviderTest {
    @Test
    void theProviderOfAThirdPartyIsFoundByName() {
        ExampleRun run = ExampleRun.of("provider");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("found: iwarp, priority", "found: local, priority 1")
                .contains("on device local0", "server: got \"Hello over local\"");
    }

    @Test
    void theSameProgramRunsOverAnotherProvider() {
        ExampleRun run = ExampleRun.of("provider", "--provider", "iwarp");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("server: got \"Hello over iwarp\" by MPA rev 2");
    }

    @Test
    void anUnknownProviderIsToldWithThoseThatExist() {
        ExampleRun run = ExampleRun.of("provider", "--provider", "none");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("no provider is named none; there are ");
    }

    @Test
    void iwarpRefusesConnectingOutOfBandWithTheRemedy() {
        ExampleRun run = ExampleRun.of("out-of-band");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains("device iwarp0 of provider iwarp has no queue pairs that are connected out of band")
                .contains("VERBS_PROVIDER=ibverbs");
    }

    @Test
    void iwarpRefusesTheFeedWithTheRemedy() {
        ExampleRun run = ExampleRun.of("feed");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains("device iwarp0 of provider iwarp has no multicast")
                .contains("VERBS_PROVIDER=ibverbs");
    }

    @Test
    void theGroupOfAFeedIsAMulticastAddress() {
        ExampleRun run = ExampleRun.of("feed", "--group", "10.0.3.1");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--group is a multicast address, such as 239.1.2.3, not 10.0.3.1");
    }
}
