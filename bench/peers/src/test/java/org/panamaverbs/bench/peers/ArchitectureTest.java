package org.panamaverbs.bench.peers;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;

/** Who may know whom among the peers. */
class ArchitectureTest {
    private static final JavaClasses CLASSES =
            ArchitectureRules.importer().importPackages("org.panamaverbs.bench.peers");

    @Test
    void noCyclesBetweenPackages() {
        ArchitectureRules.noCyclesBetweenPackages().check(CLASSES);
    }
}
