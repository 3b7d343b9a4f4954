package org.panamaverbs.sockets;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;
import org.panamaverbs.rules.PublicApi;

/** The arrows between the packages: who may know whom. */
class ArchitectureTest {
    private static final String ROOT = "org.panamaverbs.sockets";

    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages(ROOT);

    @Test
    void packagesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
                .layer("sockets")
                .definedBy(ROOT)
                .layer("selector")
                .definedBy(ROOT + ".selector")
                .layer("channel")
                .definedBy(ROOT + ".channel")
                .layer("tcp")
                .definedBy(ROOT + ".tcp")
                .layer("rules")
                .definedBy(ROOT + ".rules")
                .layer("rsocket")
                .definedBy(ROOT + ".rsocket")
                .layer("stream")
                .definedBy(ROOT + ".stream")
                .whereLayer("sockets")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("rules")
                .mayOnlyBeAccessedByLayers("tcp", "channel", "sockets")
                .whereLayer("tcp")
                .mayOnlyBeAccessedByLayers("channel", "sockets")
                .whereLayer("rsocket")
                .mayOnlyBeAccessedByLayers("stream")
                .whereLayer("stream")
                .mayOnlyBeAccessedByLayers("tcp", "channel", "selector", "sockets")
                .whereLayer("channel")
                .mayOnlyBeAccessedByLayers("selector", "sockets")
                .whereLayer("selector")
                .mayOnlyBeAccessedByLayers("sockets")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    /** The protocol is sans-IO. */
    @Test
    void theProtocolHasNoSocketsThreadsOrClocks() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".rsocket")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net", "java.nio.channels..", "java.util.concurrent..", "java.time..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .callMethod(System.class, "nanoTime")
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
