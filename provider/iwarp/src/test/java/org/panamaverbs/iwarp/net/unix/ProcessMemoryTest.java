package org.panamaverbs.iwarp.net.unix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class ProcessMemoryTest {
    @TempDir
    private Path root;

    private Path yama() throws IOException {
        return Files.createDirectories(root.resolve("proc/sys/kernel/yama")).resolve("ptrace_scope");
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true", "2, true", "3, true", "x, true"})
    void yamaIsObeyed(String scope, boolean closed) throws Exception {
        Files.writeString(yama(), scope + "\n");

        String reason = ProcessMemory.closedTo(root);

        assertThat(reason).contains(closed ? "kernel.yama.ptrace_scope is " + scope : "");
        assertThat(reason.isEmpty()).isEqualTo(!closed);
    }

    @Test
    void withoutYamaThereIsNothingToObey() {
        assertThat(ProcessMemory.closedTo(root)).isEmpty();
    }

    @Test
    void whatCannotBeReadIsObeyed() throws Exception {
        Files.createDirectory(yama());

        assertThat(ProcessMemory.closedTo(root)).contains("cannot be read");
    }

    @Test
    void theParentIsANeighbourAndNobodyIsNot() {
        int own = (int) ProcessHandle.current().pid();

        assertThat(ProcessMemory.obstacleTo(own)).isZero();
        assertThat(ProcessMemory.obstacleTo(0)).isPositive();
        assertThat(ProcessMemory.obstacleTo(Integer.MAX_VALUE)).isPositive();
    }
}
