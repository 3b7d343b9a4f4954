package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.ProviderReport;
import org.panamaverbs.cli.command.ExitStatus;
import picocli.CommandLine;

class VerbsCommandTest {
    @Test
    void helpNamesEachCommandAndTheExitCodes() {
        CommandRun run = CommandRun.of("--help");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out())
                .contains(
                        "decode ",
                        "demo ",
                        "devinfo ",
                        "doctor ",
                        "example ",
                        "jdk ",
                        "perf ",
                        "rping ",
                        "sockets ",
                        "top ",
                        "VERBS_PROVIDER",
                        "Exit codes:")
                .doesNotContain("--child");
    }

    @Test
    void versionNamesTheProjectAndTheJdk() {
        CommandRun run = CommandRun.of("--version");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).contains("Panama Verbs ", "JDK " + Runtime.version());
    }

    @Test
    void helpNamesEveryProvider() {
        String help = CommandRun.of("--help").out();

        for (ProviderReport provider : Verbs.providers()) {
            assertThat(help.lines().filter(line -> line.contains("VERBS_PROVIDER")))
                    .singleElement()
                    .asString()
                    .contains(provider.name());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "decode --nope x | Unknown option: '--nope'",
                "decode | Missing required parameter: 'FILE'",
                "demo --rounds many | 'many' is not an int",
                "devinfo --nope | Unknown option: '--nope'",
                "doctor --root /nonexistent | it has no directories sys and proc",
                "perf | Missing required parameter: 'TEST'",
                "perf send_bw -s 0 | -s: 1 to 2147483647",
                "perf copy_bw | Unknown test copy_bw",
                "rping --nope | Unknown option: '--nope'",
                "top --no-such-option 1 | Unknown option: '--no-such-option'",
                "top | Missing required parameter: 'PID'",
                "top -i 0 1 | --interval must be at least 1",
                "dmeo | Unmatched argument at index 0: 'dmeo'",
                "demo --option nosuch=1 | provider iwarp has no option nosuch",
                "perf send_bw --loopback --option shm=maybe | option shm of provider iwarp must be auto or off or require",
                "perf send_bw -d nosuch | provider iwarp has no device nosuch",
                "rping -s -a 127.0.0.1 --option shm=maybe | option shm of provider iwarp must be auto",
                "sockets --rules=/nonexistent/rules 127.0.0.1 80 | /nonexistent/rules",
                "sockets --rules=maybe 127.0.0.1 80 | maybe",
            })
    void usageErrorsAreShortAndEndWithTheReason(String arguments, String reason) {
        CommandRun run = with("verbs.provider", "iwarp", arguments.split(" ", -1));

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.out()).isEmpty();
        List<String> lines = run.err().lines().toList();
        assertThat(lines).hasSizeBetween(2, 4);
        assertThat(lines.getFirst()).contains("--help");
        assertThat(lines.getLast()).startsWith("verbs").contains(reason);
    }

    private static CommandRun with(String property, String value, String... arguments) {
        System.setProperty(property, value);
        try {
            return CommandRun.of(arguments);
        } finally {
            System.clearProperty(property);
        }
    }

    /** The environment is part of the command line: what it names and does not exist is no failure of what is there. */
    @ParameterizedTest
    @ValueSource(
            strings = {"demo", "perf send_bw --loopback", "rping -s -a 127.0.0.1", "sockets 127.0.0.1 80", "devinfo"})
    void aProviderThatDoesNotExistIsAUsageError(String arguments) {
        CommandRun run = with("verbs.provider", "nosuch", arguments.split(" "));

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err().lines().toList())
                .last()
                .asString()
                .startsWith("verbs " + arguments.split(" ", -1)[0] + ": ")
                .contains("no provider is named nosuch; there are ");
    }

    /** A device that is not there may be there again; that of the provider in Java is always there. */
    @Test
    void aDeviceThatMayComeIsNoUsageError() {
        boolean certain =
                Verbs.providers().stream().allMatch(report -> report.availability() instanceof Availability.Available);
        CommandRun run = with("verbs.device", "nosuch", "demo");

        assertThat(run.status()).isEqualTo(certain ? ExitStatus.USAGE : ExitStatus.FAILED);
    }

    @Test
    void helpIsACommandToo() {
        assertThat(CommandRun.of("help")).isEqualTo(CommandRun.of("--help"));
    }

    @Test
    void lostOutputIsAFailure() {
        CommandLine commandLine = VerbsCommand.commandLine();
        StringWriter err = new StringWriter();
        commandLine.setOut(new PrintWriter(new Writer() {
            @Override
            public void write(char[] buffer, int offset, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        }));
        commandLine.setErr(new PrintWriter(err, true));

        assertThat(commandLine.execute("devinfo", "--json")).isEqualTo(ExitStatus.FAILED);
        assertThat(err.toString())
                .contains("cannot write to the standard output")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"decode", "demo", "devinfo", "doctor", "rping", "top"})
    void eachCommandHasHelp(String command) {
        CommandRun run = CommandRun.of(command, "--help");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).startsWith("Usage: verbs " + command);
    }

    @ParameterizedTest
    @ValueSource(strings = {"decode", "demo", "devinfo", "doctor", "rping"})
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
        assertThat(run.err()).contains("Missing command", "devinfo").endsWith("Missing command\n");
    }
}
