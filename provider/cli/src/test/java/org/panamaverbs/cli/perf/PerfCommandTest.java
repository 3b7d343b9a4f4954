package org.panamaverbs.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.ExitStatus;

/** What the command line is refused for, before anything is opened. */
class PerfCommandTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "copy_lat | Unknown test copy_lat: one of write_lat, write_bw,",
                "write_lat -D 1 --warm-up 3m | expected messages, seconds as in 3s, or compiled, got '3m'",
                "write_lat --warm-up compiled | --warm-up compiled needs -D; with -n, --warm-up counts messages",
                "write_lat -n 9 --warm-up compiled | --warm-up compiled needs -D; with -n, --warm-up counts messages",
                "write_bw -b -D 1 --warm-up compiled | --warm-up compiled: with -b both sides must end it together;"
                        + " remedy: give seconds",
                "write_lat -a -D 1 --warm-up compiled | -D measures one size",
                "write_lat --out-of-band --warm-up compiled | --out-of-band has no warm-up; remedy: leave out --warm-up"
                        + " compiled",
                "write_lat --out-of-band -D 1 --warm-up compiled | --out-of-band has no warm-up; remedy: leave out --warm-up"
                        + " compiled",
                "write_lat --warm-up 3s | --warm-up in seconds needs -D",
                "write_lat -l 4 | -l is for bandwidth tests",
                "write_lat -q 2 | -q is for bandwidth tests",
                "write_lat -Q 2 | -Q is for bandwidth tests",
                "write_lat -N | -N is for bandwidth tests",
                "write_bw -H | -H is for latency tests",
                "write_bw --write_with_imm | --write_with_imm of perftest is not one of verbs perf: the tests"
                        + " write_imm",
                "write_lat -b | -b is for bandwidth tests",
                "write_lat -e | a Write raises no event at the peer",
                "write_lat -r 16 | -r: write_lat consumes no receives of the peer",
                "write_lat -o 4 | -o is for tests of Read and of atomics",
                "write_lat -A CMP_AND_SWAP | -A is for atomic_lat and atomic_bw",
                "read_lat -I 16 | -I: a Read or an atomic sends no inline data",
                "atomic_bw -s 16 | an atomic has 8 bytes",
                "atomic_lat -a | an atomic has 8 bytes",
                "send_bw -s 0 | -s: 1 to 2147483647",
                "send_bw -a -s 8388609 | -a ends at 8388608 bytes",
                "send_bw -s 2147483648 | '2147483648' is more than 2147483647 bytes",
                "send_bw -s 2G | '2G' is more than 2147483647 bytes",
                "send_bw -s 9999999999G | '9999999999G' is more than 2147483647 bytes",
                "send_bw -s 99999999999G | '99999999999G' is not",
                "send_bw -s 4Q | '4Q' is not a number of bytes",
                "send_bw -s K | 'K' is not a number of bytes",
                "send_bw --out_json_file x.json | --out_json is for the client",
                "send_bw -s 1 -a | -a begins at 2 bytes",
                "send_bw -D 0 | -D must be at least 1",
                "send_bw -D 5 -n 5 | -D must be at least 1, and excludes -n",
                "send_bw -D 5 -a | -D measures one size",
                "send_bw -t 0 | -t: 1 to 16384",
                "send_bw -l 64 -t 63 | -l must be 1 to that of -t, 63",
                "send_bw -r 1 | -r: 2 to 16384",
                "send_bw -c UD | only RC is measured",
                "send_bw -T 256 | -T must be 0 to 255",
                "send_lat -e --spin 1000001 | --spin: 0 to 1000000",
                "send_lat -e --spin -1 | --spin: 0 to 1000000",
                "send_lat --spin 5 127.0.0.1 | --spin needs -e",
                "send_bw -p 65536 | Invalid port 65536 (valid range is 0 to 65535)",
                "send_bw --loopback --bind 127.0.0.1 | --bind: with --loopback HOST is the address of both sides",
                "send_lat -w 5 127.0.0.1 | -w and -y are for bandwidth tests",
                "send_bw -y 5 | -w and -y are for the client, which measures",
                "send_bw -w -5 127.0.0.1 | -w and -y must be at least 0",
                "send_bw --json | --json is for the client, which measures",
                "send_bw --json --out_json_file x 127.0.0.1 | --json writes to the standard output; remedy: leave out"
                        + " --out_json",
                "send_bw --out_json | --out_json is for the client",
                "send_bw host more | Unmatched argument: 'more'",
                "send_bw --use_coda=3 | Unknown option: '--use_coda=3'",
                "send_bw --use_cuda=3 | Option --use_cuda of perftest is not one of verbs perf: memory of accelerators",
                "write_lat --out-of-band --loopback | --out-of-band has no --loopback",
                "write_lat --out-of-band -a | --out-of-band measures one size",
                "write_bw --out-of-band -D 3 | --out-of-band counts messages",
                "write_bw --out-of-band -q 2 | --out-of-band has one queue pair",
                "write_bw --out-of-band -l 2 | --out-of-band posts one request at a time",
                "write_bw --out-of-band -b | --out-of-band measures one direction",
                "send_lat --out-of-band -e | --out-of-band polls",
                "send_lat --out-of-band -T 8 | --out-of-band has no -T",
                "write_imm_bw --out-of-band | another form of Write with Immediate",
                "read_bw --out-of-band -c UC | -c UC: Reads and Atomics need a reliable connection",
                "write_bw -c UC | -c UC: only RC is measured",
                "write_bw --out-of-band -c XRC | -c XRC: only RC is measured, and UC and UD",
                "write_bw --out-of-band -c UD | -c UD: datagrams are Sends; remedy: use send_lat or send_bw",
                "send_bw --out-of-band -c UD | -c UD: a datagram has up to 4096 bytes",
                "send_bw -c UD | -c UD: only RC is measured",
                "send_bw --tclass 8 | Option --tclass of perftest is not one of verbs perf: -T sets the type of"
                        + " service; --out-of-band",
                "send_bw -m 1024 | Option -m of perftest is not one of verbs perf: the MTU is that of the network",
                "send_bw -i2 | Option -i of perftest is not one of verbs perf: the connection manager",
            })
    void refusesByNameWhatMakesNoSense(String arguments, String reason) {
        CommandRun run = CommandRun.of(("perf " + arguments).split(" "));

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains(reason);
        assertThat(run.out()).isEmpty();
    }

    /** Names of all options that perftest's tools and its manual page have, of versions 4.5 and 25. */
    static Stream<String> optionsOfPerftest() throws IOException {
        return Files.readAllLines(
                Path.of(System.getProperty("basedir", ""), "src/test/resources/perf/perftest-options.txt"))
                .stream();
    }

    /** Each option of perftest is taken, or refused with a reason that says more than that it is not there. */
    @ParameterizedTest
    @MethodSource("optionsOfPerftest")
    void knowsEachOptionOfPerftest(String option) {
        CommandRun run = CommandRun.of("perf", "no_such_test", option);

        if (run.status() == ExitStatus.OK) {
            assertThat(option).isIn("-h", "--help", "-V", "--version");
            return;
        }
        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err().lines().toList())
                .last()
                .asString()
                .containsPattern(": Unknown test no_such_test: |: Missing required parameter for option |" + ": Option "
                        + option + " of perftest is not one of verbs perf: .{12,}");
    }

    @Test
    void namesTheOptionThatTheProviderLacks() {
        CommandRun run = CommandRun.of("perf", "send_bw", "127.0.0.1", "--option", "colour=red");

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains("colour").doesNotContain("internal error");
    }

    @Test
    void helpExplainsFormsAndOptions() {
        CommandRun run = CommandRun.of("perf", "--help");

        assertThat(run.status()).isEqualTo(ExitStatus.OK);
        assertThat(run.out())
                .contains("--loopback", "--post_list", "--no-crc", "'compiled'", "Examples:", "Exit codes:");
    }
}
