package org.panamaverbs.cli;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;

/** Who may know whom in the command. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages("org.panamaverbs.cli");

    /** Commands know what all share, and none the other; below each is what it is made of. */
    @Test
    void packagesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.cli..")
                .layer("command")
                .definedBy("org.panamaverbs.cli.command")
                .layer("capture")
                .definedBy("org.panamaverbs.cli.decode.capture")
                .layer("tcp")
                .definedBy("org.panamaverbs.cli.decode.tcp")
                .layer("dissect")
                .definedBy("org.panamaverbs.cli.decode.dissect")
                .layer("iwarp")
                .definedBy("org.panamaverbs.cli.decode.iwarp")
                .layer("decode")
                .definedBy("org.panamaverbs.cli.decode")
                .layer("demo")
                .definedBy("org.panamaverbs.cli.demo")
                .layer("doctor")
                .definedBy("org.panamaverbs.cli.doctor")
                .layer("compiler")
                .definedBy("org.panamaverbs.cli.perf.compiler")
                .layer("measure")
                .definedBy("org.panamaverbs.cli.perf.measure")
                .layer("perf")
                .definedBy("org.panamaverbs.cli.perf")
                .layer("rping")
                .definedBy("org.panamaverbs.cli.rping")
                .layer("sockets")
                .definedBy("org.panamaverbs.cli.sockets")
                .layer("top")
                .definedBy("org.panamaverbs.cli.top")
                .layer("verbs")
                .definedBy("org.panamaverbs.cli")
                .whereLayer("verbs")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("decode")
                .mayOnlyBeAccessedByLayers("verbs")
                .whereLayer("demo")
                .mayOnlyBeAccessedByLayers("verbs")
                .whereLayer("doctor")
                .mayOnlyBeAccessedByLayers("verbs")
                .whereLayer("perf")
                .mayOnlyBeAccessedByLayers("verbs")
                .whereLayer("rping")
                .mayOnlyBeAccessedByLayers("verbs")
                .whereLayer("sockets")
                .mayOnlyBeAccessedByLayers("verbs")
                .whereLayer("top")
                .mayOnlyBeAccessedByLayers("verbs")
                .whereLayer("iwarp")
                .mayOnlyBeAccessedByLayers("decode")
                .whereLayer("dissect")
                .mayOnlyBeAccessedByLayers("iwarp", "decode")
                .whereLayer("tcp")
                .mayOnlyBeAccessedByLayers("iwarp", "decode")
                .whereLayer("capture")
                .mayOnlyBeAccessedByLayers("tcp", "decode")
                .whereLayer("compiler")
                .mayOnlyBeAccessedByLayers("measure")
                .whereLayer("measure")
                .mayOnlyBeAccessedByLayers("perf")
                .whereLayer("command")
                .mayOnlyBeAccessedByLayers(
                        "decode", "demo", "doctor", "measure", "perf", "rping", "sockets", "top", "verbs")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    @Test
    void noCyclesBetweenPackages() {
        ArchitectureRules.noCyclesBetweenPackages().check(CLASSES);
    }
}
