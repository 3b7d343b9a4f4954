package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DevinfoCommandTest {
    @Test
    void namesTheSoftwareProviderAndItsDevice() {
        CommandRun run = CommandRun.of("devinfo");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).contains("iwarp  (priority 10)  available", "device ", "IWARP");
    }

    @Test
    void verboseShowsPortsAndCapabilities() {
        CommandRun run = CommandRun.of("devinfo", "-v");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).contains("port 1", "maxQpWr ", "immediateBytes ", "services", "MASKED_ATOMICS");
    }

    @Test
    void jsonCarriesTheSame() {
        CommandRun run = CommandRun.of("devinfo", "-v", "--json");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out())
                .startsWith("{")
                .contains("\"name\": \"iwarp\"", "\"available\": true", "\"maxQpWr\": ", "\"MASKED_ATOMICS\"");
    }
}
