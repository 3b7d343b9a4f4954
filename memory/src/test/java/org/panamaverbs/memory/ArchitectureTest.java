package org.panamaverbs.memory;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;
import org.panamaverbs.rules.PublicApi;

/** Who may know whom in the memory module. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages("org.panamaverbs.memory");

    /** What the memory of others is accessed by knows nothing of what uses it. */
    @Test
    void packagesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.memory..")
                .layer("access")
                .definedBy("org.panamaverbs.memory.access")
                .layer("memory")
                .definedBy("org.panamaverbs.memory")
                .whereLayer("access")
                .mayNotAccessAnyLayer()
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    @Test
    void noCyclesBetweenPackages() {
        ArchitectureRules.noCyclesBetweenPackages().check(CLASSES);
    }

    /** What others use stands as it was recorded with the last release. */
    @Test
    void keepsThePublicApi() {
        PublicApi.keeps(CLASSES, PublicApi.exported(), Path.of("src/test/public-api.txt"));
    }
}
