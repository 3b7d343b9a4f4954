package org.panamaverbs.cli.rping;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.rping.RpingCommand.RpingOptions;
import picocli.CommandLine;

class RpingCommandTest {
    private static RpingOptions parse(String... arguments) {
        RpingCommand command = new RpingCommand();
        new CommandLine(command).parseArgs(arguments);
        return command.options();
    }

    @Test
    void serverHasTheDefaultsOfRping() {
        assertThat(parse("-s"))
                .isEqualTo(new RpingOptions(
                        new RpingOptions.Place("0.0.0.0", 7174, null),
                        new RpingOptions.Pings(0, 64, false, false),
                        false,
                        false,
                        Duration.ofSeconds(30)));
    }

    @Test
    void takesClusteredOptionsAndAttachedValues() {
        assertThat(parse("-cvVd", "-a10.0.0.1", "-p1234", "-C100", "-S65536", "-I", "10.0.0.2", "--timeout", "5"))
                .isEqualTo(new RpingOptions(
                        new RpingOptions.Place("10.0.0.1", 1234, "10.0.0.2"),
                        new RpingOptions.Pings(100, 65_536, true, true),
                        false,
                        true,
                        Duration.ofSeconds(5)));
    }

    @Test
    void takesPersistentServerAtAnIpv6Address() {
        RpingOptions options = parse("-sP", "-a", "::1", "-p", "0", "-q");

        assertThat(options.persistent()).isTrue();
        assertThat(options.place().address()).isEqualTo("::1");
        assertThat(options.place().port()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "-v,                    Give either -s or -c",
        "-s -c,                 Give either -s or -c",
        "-c,                    A client needs -a ADDR",
        "-c -a ::1 -p 0,        Invalid port 0 (valid range is 1 to 65535)",
        "-s -p 65536,           Invalid port 65536 (valid range is 0 to 65535)",
        "-c -a ::1 -C -1,       Invalid count -1",
        "-s -S 22,              Invalid size 22",
        "-s --timeout 0,        Invalid timeout 0",
        "-s -I ::1,             -I is for clients",
        "-c -a ::1 -P,          -P is for servers",
        "-s -S many,            'many' is not an int",
    })
    void refusesWhatMakesNoSense(String arguments, String message) {
        CommandRun run = CommandRun.of(("rping " + arguments).split(" ", -1));

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains(message, "verbs rping --help");
        assertThat(run.out()).isEmpty();
    }
}
