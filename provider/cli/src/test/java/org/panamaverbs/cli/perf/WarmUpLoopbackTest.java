package org.panamaverbs.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.cli.CommandRun;
import org.panamaverbs.cli.command.ExitStatus;

/** Both sides over the loopback interface, warmed up until the compilers are idle. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WarmUpLoopbackTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "send_lat | -s 64 -e",
                "atomic_lat | -A CMP_AND_SWAP",
            })
    void warmsUpUntilBothSidesAreCompiled(String test, String options, @TempDir Path directory) throws Exception {
        isWarm(test, options, directory);
    }

    /** The same of the others: both sides of each take a processor for seconds. */
    @Tag("proof")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "write_lat | -s 64",
                "send_bw | -s 64 -l 16 -q 2",
            })
    void warmsUpTheOthers(String test, String options, @TempDir Path directory) throws Exception {
        isWarm(test, options, directory);
    }

    /** A machine with much else to do may reach the limit, and is told so. */
    private static void isWarm(String test, String options, Path directory) throws Exception {
        Path file = directory.resolve("results.json");
        PerfRun server = PerfRun.server(test);
        String[] more = (options + " -D 1 --warm-up compiled --out_json_file " + file).split(" ");

        CommandRun client = server.client(test, more);

        assertThat(client.status()).as(client.err()).isEqualTo(ExitStatus.OK);
        assertThat(server.end().status()).as(server.end().err()).isEqualTo(ExitStatus.OK);
        assertThat(client.out())
                .contains(" Warm-up         : compiled ")
                .containsPattern("\n Warm-up of \\d+\\.\\d s, ");
        String json = Files.readString(file);
        assertThat(json).contains("\"Warm_up_until_compiled\": true", "\"Warm_up_still_compiling\": ");
        Matcher took = Pattern.compile("\"Warm_up_took_seconds\": ([0-9.]+)").matcher(json);
        assertThat(took.find()).isTrue();
        assertThat(Double.parseDouble(took.group(1))).isBetween(1.0, 40.0);
    }
}
