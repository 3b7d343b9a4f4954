package org.panamaverbs.cli.rping;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.ExitStatus;
import picocli.CommandLine;

class RpingCommandTest {
    private static RpingCommand parse(String... arguments) {
        RpingCommand command = new RpingCommand();
        new CommandLine(command).parseArgs(arguments);
        command.check();
        return command;
    }

    @Test
    void serverHasTheDefaultsOfRping() {
        RpingCommand options = parse("-s");

        assertThat(options.place()).isEqualTo(new InetSocketAddress("0.0.0.0", 7174));
        assertThat(options.source).isNull();
        assertThat(options.count).isZero();
        assertThat(options.size).isEqualTo(64);
        assertThat(options.verbose || options.validate || options.persistent || options.debug)
                .isFalse();
        assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void takesClusteredOptionsAndAttachedValues() {
        RpingCommand options =
                parse("-cvVd", "-a10.0.0.1", "-p1234", "-C100", "-S65536", "-I", "10.0.0.2", "--timeout", "5");

        assertThat(options.place()).isEqualTo(new InetSocketAddress("10.0.0.1", 1234));
        assertThat(options.source).isEqualTo("10.0.0.2");
        assertThat(options.count).isEqualTo(100);
        assertThat(options.size).isEqualTo(65_536);
        assertThat(options.verbose && options.validate && options.debug).isTrue();
        assertThat(options.persistent).isFalse();
        assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void takesPersistentServerAtAnIpv6Address() {
        RpingCommand options = parse("-sP", "-a", "::1", "-p", "0", "-q");

        assertThat(options.persistent).isTrue();
        assertThat(options.place()).isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0));
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
