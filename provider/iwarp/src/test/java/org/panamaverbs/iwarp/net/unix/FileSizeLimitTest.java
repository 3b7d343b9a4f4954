package org.panamaverbs.iwarp.net.unix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.iwarp.net.ScarceProcess;
import org.panamaverbs.memory.MemorySlab;

/** The limit of the size of files counts for memory files too, which nobody expects. */
@EnabledOnOs(OS.LINUX)
class FileSizeLimitTest {
    private static final int BYTES = 1 << 20;

    @TempDir
    private Path directory;

    /** Makes shared memory that is larger than a file may be here, in each way. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try (SealedFile file = SealedFile.create("panama-verbs test", BYTES)) {
                System.out.println("made " + file.memory());
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
            try (MemorySlab slab = MemorySlab.shared("panama-verbs test", BYTES)) {
                System.out.println("made " + slab.segment());
            } catch (UncheckedIOException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void namesTheLimitAndItsRemedy() throws Exception {
        assertThat(ScarceProcess.run(directory, Program.class, "-f 64"))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("EFBIG", "ulimit -f"));
    }
}
