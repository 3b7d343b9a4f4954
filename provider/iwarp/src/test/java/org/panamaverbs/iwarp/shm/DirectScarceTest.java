package org.panamaverbs.iwarp.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.iwarp.net.ScarceProcess;

/** A process that has no descriptor left for a moment. */
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class DirectScarceTest {
    @TempDir
    private Path directory;

    @Test
    void aSlabThatWasLostIsAskedForAnew() throws Exception {
        assertThat(ScarceProcess.run(directory, DirectScarce.class))
                .containsSubsequence("entered=true", "without=false", "entered=true");
    }
}
