package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.iwarp.net.ScarceProcess;

/** Many streams of a process that has no descriptor for what watches them. */
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class ScarceStreamsTest {
    @TempDir
    private Path directory;

    @Test
    void arePolledOneByOneAndWatchedLater() throws Exception {
        assertThat(ScarceProcess.run(directory, ScarceStreams.class))
                .containsSubsequence("without=20, failures=[]", "failures=[]");
    }
}
