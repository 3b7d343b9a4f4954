package org.panamaverbs.bench;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;

/** Who may know whom among the benchmarks and what runs them. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = ArchitectureRules.importer()
            .withImportOption(location -> !location.contains("jmh_generated"))
            .importPackages("org.panamaverbs.bench");

    /** What runs knows what it runs; benchmarks know none of those that run them. */
    @Test
    void packagesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.bench..")
                .layer("subjects")
                .definedBy("org.panamaverbs.bench")
                .layer("machine")
                .definedBy("org.panamaverbs.bench.machine")
                .layer("calls")
                .definedBy(
                        "org.panamaverbs.bench.binding", "org.panamaverbs.bench.iwarp", "org.panamaverbs.bench.memory")
                .layer("exchange")
                .definedBy("org.panamaverbs.bench.loopback.exchange")
                .layer("run")
                .definedBy("org.panamaverbs.bench.loopback.run")
                .layer("sockets")
                .definedBy("org.panamaverbs.bench.sockets")
                .layer("channels")
                .definedBy("org.panamaverbs.bench.channels")
                .layer("loopback")
                .definedBy("org.panamaverbs.bench.loopback")
                .layer("result")
                .definedBy("org.panamaverbs.bench.result")
                .layer("page")
                .definedBy("org.panamaverbs.bench.page")
                .layer("suite")
                .definedBy("org.panamaverbs.bench.suite")
                .layer("contestant")
                .definedBy("org.panamaverbs.bench.compare.contestant")
                .layer("standing")
                .definedBy("org.panamaverbs.bench.compare.standing")
                .layer("compare")
                .definedBy("org.panamaverbs.bench.compare")
                .whereLayer("compare")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("page")
                .mayOnlyBeAccessedByLayers("suite", "compare")
                .whereLayer("result")
                .mayOnlyBeAccessedByLayers(
                        "page", "suite", "contestant", "standing", "compare", "exchange", "run", "sockets", "channels")
                .whereLayer("standing")
                .mayOnlyBeAccessedByLayers("compare", "exchange")
                .whereLayer("contestant")
                .mayOnlyBeAccessedByLayers("standing", "compare")
                .whereLayer("suite")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("loopback")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("run")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("sockets")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("channels")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("exchange")
                .mayOnlyBeAccessedByLayers("run", "sockets", "channels", "loopback")
                .whereLayer("calls")
                .mayOnlyBeAccessedByLayers("suite")
                .whereLayer("machine")
                .mayOnlyBeAccessedByLayers("suite", "standing", "compare", "exchange")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    @Test
    void noCyclesBetweenPackages() {
        ArchitectureRules.noCyclesBetweenPackages().check(CLASSES);
    }
}
