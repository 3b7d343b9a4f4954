package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class KernelReleaseTest {
    @Test
    void readsWhatUnamePrints() {
        assertThat(KernelRelease.of("6.12.107+deb13-arm64")).isEqualTo(new KernelRelease(6, 12));
        assertThat(KernelRelease.of("6.1.0-56-amd64")).isEqualTo(new KernelRelease(6, 1));
        assertThat(KernelRelease.of("7.0-rc3")).isEqualTo(new KernelRelease(7, 0));
        assertThatThrownBy(() -> KernelRelease.of("unknown")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void comparesNumbersNotText() {
        KernelRelease old = KernelRelease.of("6.1.0-56-amd64");
        assertThat(old.isAtLeast(6, 1)).isTrue();
        assertThat(old.isAtLeast(6, 12)).isFalse();
        assertThat(old.isAtLeast(5, 19)).isTrue();
        assertThat(KernelRelease.of("6.12.107+deb13-amd64").isAtLeast(6, 12)).isTrue();
        assertThat(KernelRelease.of("7.0.0").isAtLeast(6, 12)).isTrue();
    }
}
