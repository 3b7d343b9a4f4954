package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class VerbsCommandTest {
    @Test
    void helpNamesEachCommandAndTheExitCodes() {
        CommandRun run = CommandRun.of("--help");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out())
                .contains("decode ", "demo ", "devinfo ", "rping ", "VERBS_PROVIDER", "Exit codes:")
                .doesNotContain("demo-peer");
    }

    @Test
    void versionNamesTheProjectAndTheJdk() {
        CommandRun run = CommandRun.of("--version");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).contains("Panama Verbs ", "JDK " + Runtime.version());
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
    @ValueSource(strings = {"decode", "demo", "demo-peer", "devinfo", "rping"})
    void eachCommandHasHelp(String command) {
        CommandRun run = CommandRun.of(command, "--help");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out()).startsWith("Usage: verbs " + command);
    }

    @ParameterizedTest
    @ValueSource(strings = {"decode", "demo", "devinfo", "rping"})
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
