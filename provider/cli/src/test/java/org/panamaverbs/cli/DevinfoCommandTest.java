package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.cli.command.ExitStatus;

class DevinfoCommandTest {
    @Test
    void namesTheSoftwareProviderAndItsDevice() {
        CommandRun run = CommandRun.of("devinfo");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).contains("iwarp  (priority 10)  available", "device ", "IWARP");
    }

    @ParameterizedTest
    @CsvSource({
        "verbs.provider,   nosuch, no provider is named nosuch, 2",
        "verbs.device,     nosuch, nosuch, 1",
        "verbs.iwarp.nope, 1,      provider iwarp has no option nope, 2",
    })
    void complainsOfWhatDoesNotExistBesideItsReport(String property, String value, String complaint, int status) {
        System.setProperty(property, value);
        try {
            CommandRun run = CommandRun.of("devinfo", "-v");

            assertThat(run.status()).isEqualTo(status);
            assertThat(run.err()).contains("verbs devinfo: ").contains(complaint);
            assertThat(run.out()).contains("iwarp  (priority 10)  available").doesNotContain("chosen");
        } finally {
            System.clearProperty(property);
        }
    }

    @Test
    void deviceThatNoProviderHasIsAnsweredByWhatEachSays() {
        System.setProperty("verbs.device", "mlx5_77");
        try {
            assertThat(CommandRun.of("devinfo").err())
                    .contains("mlx5_77", "ibverbs ", "iwarp has only iwarp0", "VERBS_DEVICE");
        } finally {
            System.clearProperty("verbs.device");
        }
    }

    @Test
    void saysWhatIsChosenAndWhy() {
        assertThat(CommandRun.of("devinfo").out())
                .containsPattern("chosen: (iwarp, device iwarp0: ibverbs cannot be used: |ibverbs, device )");
    }

    @Test
    void saysWhyTheLibrariesOfVerbsCannotBeUsedOrWhatTheyFound() {
        assertThat(CommandRun.of("devinfo").out())
                .containsPattern(
                        "ibverbs  \\(priority 100\\)  (not available\\R    reason   .+\\R    remedy   .+|available)");
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
                .contains("\"name\": \"iwarp\"", "\"available\": true", "\"maxQpWr\": ", "\"MASKED_ATOMICS\"")
                .contains(
                        "\"pciAddress\": \"\"", "\"state\": \"ACTIVE\"", "\"linkLayer\": \"ETHERNET\"", "\"gids\": []");
    }
}
