package org.panamaverbs.bench.compare.contestant;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What peers leave in shared memory is gone afterwards. */
@Timeout(30)
@EnabledOnOs(OS.LINUX)
class ScratchTest {
    @TempDir
    Path otherwise;

    @Test
    void isGoneWithAllThatIsInIt() throws Exception {
        Path directory;
        try (Scratch scratch = new Scratch(otherwise)) {
            directory = scratch.directory();
            Files.writeString(
                    Files.createDirectories(directory.resolve("aeron/logs")).resolve("1"), "octets");
        }
        assertThat(directory).doesNotExist();
        assertThat(directory.getParent()).exists();
    }

    @Test
    void removesThatOfARunWhoseProcessIsGone() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        Path alive;
        Path left;
        try (Scratch scratch = new Scratch(otherwise)) {
            alive = scratch.directory();
            left = Files.createDirectories(alive.resolveSibling("panama-verbs-compare-" + gone.pid() + "/aeron"));
            Scratch other = new Scratch(otherwise);
            assertThat(left.getParent()).doesNotExist();
            assertThat(alive).exists();
            other.close();
        }
    }
}
