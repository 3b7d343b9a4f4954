package org.panamaverbs.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.ExitStatus;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DemoCommandTest {
    @Test
    void everyOperationIsRightBetweenTwoProcesses() {
        CommandRun run = CommandRun.of("demo", "--rounds", "4");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).doesNotContain("FAILED", "not run");
        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.lines().stream().filter(line -> line.matches(".* ok +[0-9.]+")))
                .hasSizeGreaterThanOrEqualTo(Exercises.all().size() - 1);
    }

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"},
            disabledReason = "memory is shared there only")
    void goesBySharedMemoryAndSaysHowToHaveTcp() {
        assertThat(CommandRun.of("demo", "--rounds", "1", "--option", "shm.direct=off")
                        .lines())
                .anyMatch(line -> line.matches("transport +MPA .*, no CRC, .*, shared memory \\(rings of .*"))
                .contains("           both processes are on this host; --option shm=off selects TCP")
                .noneMatch(line -> line.contains("direct access"));
        assertThat(CommandRun.of("demo", "--rounds", "1", "--option", "shm=off").lines())
                .anyMatch(line -> line.matches("transport +MPA .*CRC32C.*"))
                .noneMatch(line -> line.contains("shared memory") || line.contains("shm"));
    }

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"},
            disabledReason = "memory is shared there only")
    void saysWhatWentDirectly() {
        CommandRun run = CommandRun.of("demo", "--rounds", "20", "--option", "shm.direct=on");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.lines())
                .anyMatch(line -> line.matches(
                        "transport +.*, shared memory \\(rings of .*, direct access \\([1-9].* requests\\)"));
    }

    @Test
    void refusesAnOptionThatTheProviderHasNot() {
        CommandRun run = CommandRun.of("demo", "--option", "shn=off");

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains("no option shn");
    }

    @Test
    void jsonSaysThatAllPassed() {
        CommandRun run = CommandRun.of("demo", "--rounds", "1", "--json");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).startsWith("{").contains("\"passed\": true", "\"operation\": \"CmpSwap, masked\"");
    }

    @ParameterizedTest
    @CsvSource({
        "--rounds=0,  Invalid number of rounds 0",
        "--port=-1,   Invalid port -1 (valid range is 0 to 65535)",
        "--timeout=0, Invalid timeout 0",
    })
    void refusesWhatMakesNoSense(String argument, String message) {
        CommandRun run = CommandRun.of("demo", argument);

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains(message);
    }
}
