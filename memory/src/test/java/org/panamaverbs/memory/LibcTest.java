package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The numbers are not taken from the bindings, whose first use has a JDK warn; but they are the same ones. */
class LibcTest {
    @Test
    void numbersAreThoseThatTheBindingsCompareForEachArchitecture() {
        assertThat(Libc.PROT_READ_WRITE)
                .isEqualTo(org.panamaverbs.bindings.libc.Libc.PROT_READ()
                        | org.panamaverbs.bindings.libc.Libc.PROT_WRITE());
        assertThat(Libc.MAP_PRIVATE_ANONYMOUS)
                .isEqualTo(org.panamaverbs.bindings.libc.Libc.MAP_PRIVATE()
                        | org.panamaverbs.bindings.libc.Libc.MAP_ANONYMOUS());
        assertThat(Libc.MAP_HUGETLB).isEqualTo(org.panamaverbs.bindings.libc.Libc.MAP_HUGETLB());
        assertThat(Libc.MFD_CLOEXEC_ALLOW_SEALING)
                .isEqualTo(org.panamaverbs.bindings.libc.Libc.MFD_CLOEXEC()
                        | org.panamaverbs.bindings.libc.Libc.MFD_ALLOW_SEALING());
        assertThat(Libc.MADV_POPULATE_WRITE).isEqualTo(org.panamaverbs.bindings.libc.Libc.MADV_POPULATE_WRITE());
        assertThat(Libc.F_ADD_SEALS).isEqualTo(org.panamaverbs.bindings.libc.Libc.F_ADD_SEALS());
        assertThat(Libc.F_SEAL_SEAL_SHRINK_GROW)
                .isEqualTo(org.panamaverbs.bindings.libc.Libc.F_SEAL_SEAL()
                        | org.panamaverbs.bindings.libc.Libc.F_SEAL_SHRINK()
                        | org.panamaverbs.bindings.libc.Libc.F_SEAL_GROW());
    }
}
