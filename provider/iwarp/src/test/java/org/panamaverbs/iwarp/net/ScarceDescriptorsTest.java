package org.panamaverbs.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be made for lack of descriptors leaves none behind, and is made once there are some. */
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class ScarceDescriptorsTest {
    @TempDir
    private Path directory;

    @Test
    void pollerThatGetsNoSecondDescriptorGivesTheFirstBack() throws Exception {
        assertThat(ScarceProcess.run(directory, ScarceDescriptors.class))
                .containsExactly("failure=Too many open files", "free=1");
    }

    @Test
    void processThatHadNoneWhenItBeganListensOnIpv6Later() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/net/if_inet6")), "the kernel has no IPv6");
        assertThat(ScarceProcess.run(directory, ScarceWildcard.class))
                .containsExactly("failure=Too many open files", "ipv6=true");
    }
}
