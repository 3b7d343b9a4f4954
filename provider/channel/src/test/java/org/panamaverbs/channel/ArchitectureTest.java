package org.panamaverbs.channel;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;
import org.panamaverbs.rules.PublicApi;

/** The arrows between the packages: who may know whom. */
class ArchitectureTest {
    private static final String ROOT = "org.panamaverbs.channel";

    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages(ROOT);

    @Test
    void packagesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
                .layer("channel")
                .definedBy(ROOT)
                .layer("flow")
                .definedBy(ROOT + ".flow")
                .whereLayer("channel")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("flow")
                .mayOnlyBeAccessedByLayers("channel")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    /** Flow control is sans-IO, and knows no verbs. */
    @Test
    void flowControlHasNoVerbsThreadsOrClocks() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".flow")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.panamaverbs.api..", "org.panamaverbs.memory..", "java.net", "java.util.concurrent..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .callMethod(System.class, "nanoTime")
                .check(CLASSES);
    }

    @Test
    void knowsNoProvider() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.panamaverbs.spi..", "org.panamaverbs.bindings..", "org.panamaverbs.iwarp..")
                .check(CLASSES);
    }

    /** What others use stands as it was recorded with the last release. */
    @Test
    void keepsThePublicApi() {
        PublicApi.keeps(CLASSES, PublicApi.exported(), Path.of("src/test/public-api.txt"));
    }
}
