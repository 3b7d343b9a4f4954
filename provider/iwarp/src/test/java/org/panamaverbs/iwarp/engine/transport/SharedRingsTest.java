package org.panamaverbs.iwarp.engine.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files lack pages only where an access to one does not end the process. */
class SharedRingsTest {
    @TempDir
    private Path directory;

    @Test
    void knowsWhetherTheSystemOvercommits() throws IOException {
        Path setting = directory.resolve("overcommit_memory");
        assertThat(SharedRings.overcommits(setting)).as("cannot be read").isFalse();
        Files.writeString(setting, "2\n");
        assertThat(SharedRings.overcommits(setting)).isFalse();
        Files.writeString(setting, "0\n");
        assertThat(SharedRings.overcommits(setting)).isTrue();
        Files.writeString(setting, "1\n");
        assertThat(SharedRings.overcommits(setting)).isTrue();
    }
}
