package org.panamaverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our initiator against our target; provider/lab/nvme has each of them against Linux's other one. */
@Timeout(120)
class NvmeTest {
    private static final Pattern SUM = Pattern.compile("(found|wrote|read|namespace) .*?([0-9a-f]{64})");

    @ParameterizedTest
    @ValueSource(strings = {"windows", "registration"})
    void bothSidesHaveTheSameBlocksAfterwards(String lend) {
        ExampleRun run = ExampleRun.of("nvme", "--size", "3", "--lend", lend);

        assertThat(run.status()).as(run.err()).isZero();
        List<String> sums = sums(run);
        assertThat(sums).hasSize(4);
        assertThat(sums.get(1)).as("written and found").isNotEqualTo(sums.get(0));
        assertThat(sums.get(2)).as("read").isEqualTo(sums.get(1));
        assertThat(sums.get(3)).as("the target's").isEqualTo(sums.get(1));
        // A mebibyte in 4096 bytes each; 2 MiB to write and twice 3 MiB to read in 64 KiB each.
        assertThat(run.out())
                .contains("256 Writes with the data in the capsule, 128 commands by keyed SGL")
                .contains("96 Reads, 288 Writes (256 with the data in the capsule), 1 Flushes")
                .contains(lend.equals("windows") ? "by a window a command" : "by one registration");
    }

    /** Over a ring, which holds some of the answers back: then commands come before that is told of all answers. */
    @Test
    void asItIsWithoutOptionsAllCommandsAreAnswered() {
        ExampleRun run = ExampleRun.of("nvme");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("512 Reads, 496 Writes (256 with the data in the capsule), 1 Flushes");
    }

    @Test
    void aFileBehindTheNamespaceHasWhatWasWritten(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("disk");
        ExampleRun first = ExampleRun.of("nvme", "--size", "1", "--file", file.toString(), "--piece", "1024");
        ExampleRun second = ExampleRun.of("nvme", "--size", "1", "--file", file.toString(), "--depth", "2");

        assertThat(first.status()).as(first.err()).isZero();
        assertThat(second.status()).as(second.err()).isZero();
        assertThat(sums(second).get(0)).as("found").isEqualTo(sums(first).get(3));
        assertThat(Files.size(file)).isEqualTo(1 << 20);
    }

    @Test
    void wrongOptionsAreRefused() {
        assertThat(ExampleRun.of("nvme", "--lend", "money").err()).contains("--lend is windows or registration");
        assertThat(ExampleRun.of("nvme", "--nqn", "").err()).contains("--nqn has 1 to 223 characters");
    }

    private static List<String> sums(ExampleRun run) {
        return SUM.matcher(run.out()).results().map(result -> result.group(2)).toList();
    }
}
