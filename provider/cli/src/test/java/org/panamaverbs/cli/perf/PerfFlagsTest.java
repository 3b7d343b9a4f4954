package org.panamaverbs.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class PerfFlagsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-t 7",
                "-T 8",
                "--timeout 9",
                "-r 10",
                "-o 11",
                "-I 12",
                "-l 13",
                "-Q 14",
                "--spin 15",
                "-s 8388609"
            })
    void serverOfALoopbackGetsWhatIsEachSidesOwn(String option) {
        PerfFlags flags = CommandLine.populateCommand(new PerfFlags(), option.split(" "));

        assertThat(String.join(" ", flags.ofServer(true)) + " ").contains(option + " ");
    }
}
