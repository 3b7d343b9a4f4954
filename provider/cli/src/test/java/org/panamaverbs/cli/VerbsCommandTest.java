package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerbsCommandTest {
    @Test
    void helpNamesEachCommandAndTheExitCodes() {
        CommandRun run = CommandRun.of("--help");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out())
                .contains("demo ", "devinfo ", "rping ", "VERBS_PROVIDER", "Exit codes:")
                .doesNotContain("demo-peer");
    }

    @Test
    void versionNamesTheProjectAndTheJdk() {
        CommandRun run = CommandRun.of("--version");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).contains("Panama Verbs ", "JDK " + Runtime.version());
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "devinfo", "rping"})
    void eachCommandHasHelp(String command) {
        CommandRun run = CommandRun.of(command, "--help");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).startsWith("Usage: verbs " + command);
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "devinfo", "rping"})
    void unknownOptionIsAUsageError(String command) {
        CommandRun run = CommandRun.of(command, "--no-such-option");

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains("Unknown option: '--no-such-option'");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void unknownCommandIsAUsageError() {
        CommandRun run = CommandRun.of("dmeo");

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains("Unmatched argument at index 0: 'dmeo'", "devinfo");
    }

    @Test
    void noCommandIsAUsageError() {
        CommandRun run = CommandRun.of();

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains("Missing command", "devinfo");
    }
}
