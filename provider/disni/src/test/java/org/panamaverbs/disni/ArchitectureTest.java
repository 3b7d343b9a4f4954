package org.panamaverbs.disni;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.ibm.disni.verbs.RdmaProvider;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;

/** The arrows between the packages: who may know whom. */
class ArchitectureTest {
    private static final String ROOT = "org.panamaverbs.disni";

    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages(ROOT);

    /** With what stands in for DiSNI's own, without DiSNI's jar. */
    private static final JavaClasses ALL = ArchitectureRules.importer()
            .withImportOption(new ImportOption.DoNotIncludeJars())
            .importPackages(ROOT, "com.ibm.disni");

    @Test
    void packagesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
                .layer("provider")
                .definedBy(ROOT)
                .layer("cm")
                .definedBy(ROOT + ".cm")
                .layer("prepared")
                .definedBy(ROOT + ".prepared")
                .layer("objects")
                .definedBy(ROOT + ".objects")
                .whereLayer("provider")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("cm")
                .mayOnlyBeAccessedByLayers("provider")
                .whereLayer("prepared")
                .mayOnlyBeAccessedByLayers("provider")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    /**
     * One type that stands in for DiSNI's own does: its contract is that it is the base of each provider, and answers
     * one.
     */
    @Test
    void noCyclesBetweenPackages() {
        ArchitectureRules.noCyclesBetweenPackages()
                .ignoreDependency(RdmaProvider.class, PanamaProvider.class)
                .check(ALL);
    }
}
