package org.panamaverbs.local;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;

/** Who may know whom: each package those before it, and no two types each other. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages("org.panamaverbs.local");

    @Test
    void packagesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.local..")
                .layer("context")
                .definedBy("org.panamaverbs.local.context")
                .layer("objects")
                .definedBy("org.panamaverbs.local.objects")
                .layer("connect")
                .definedBy("org.panamaverbs.local.connect")
                .layer("provider")
                .definedBy("org.panamaverbs.local")
                .whereLayer("provider")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("connect")
                .mayOnlyBeAccessedByLayers("provider")
                .whereLayer("objects")
                .mayOnlyBeAccessedByLayers("connect", "provider")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    @Test
    void noCyclesBetweenPackages() {
        ArchitectureRules.noCyclesBetweenPackages().check(CLASSES);
    }
}
