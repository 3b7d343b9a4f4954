package org.panamaverbs.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the script {@code bench/compare} takes and refuses before it builds anything. */
@DisabledOnOs(OS.WINDOWS) // there is no bash
class CompareOptionsTest {
    private static final Path SCRIPT = Path.of("compare").toAbsolutePath();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--rounds 3",
                "--rounds=3",
                "--full --cpus=0,1 --curves",
                "--only UCX,netty",
                "--only=ucx,Aeron",
                "--one-host --full",
                "--all --smoke",
                "--out=a=b --render"
            })
    void takesValuesAfterABlankOrAnEqualsSign(String options) throws Exception {
        Ended ended = compare(options + " --help");
        assertThat(ended.text()).contains("usage: bench/compare");
        assertThat(ended.status()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rounds=0", "--rounds", "--cpus=1", "--only=", "--only=Nobody", "--full=3", "--unknown"})
    void refusesOthers(String options) throws Exception {
        assertThat(compare(options).status()).isEqualTo(2);
    }

    private record Ended(int status, String text) {}

    private static Ended compare(String options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", SCRIPT.toString()));
        command.addAll(List.of(options.split(" ", -1)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), text);
    }
}
