package org.panamaverbs.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTest {
    @Test
    void aKernelIsShownByItsVersionNumberAlone() {
        assertThat(Machine.versionOnly("6.12.107+deb13-arm64")).isEqualTo("6.12.107");
        assertThat(Machine.versionOnly("6.18.44")).isEqualTo("6.18.44");
        assertThat(Machine.facts().get("kernel")).matches("[A-Za-z ]+ [0-9.]+");
        assertThat(Machine.withoutKernelName("Linux " + System.getProperty("os.version") + ", amd64"))
                .matches("Linux [0-9.]+, amd64");
    }
}
