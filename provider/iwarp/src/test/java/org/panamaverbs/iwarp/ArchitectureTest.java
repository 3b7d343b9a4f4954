package org.panamaverbs.iwarp;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows of docs/architecture.md: who may know whom. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.panamaverbs.memory", "org.panamaverbs.api", "org.panamaverbs.iwarp");

    @Test
    void layersPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs..")
                .layer("memory")
                .definedBy("org.panamaverbs.memory..")
                .layer("api")
                .definedBy("org.panamaverbs.api..")
                .layer("wire")
                .definedBy("org.panamaverbs.iwarp.wire..")
                .layer("core")
                .definedBy("org.panamaverbs.iwarp.core..")
                .layer("net")
                .definedBy("org.panamaverbs.iwarp.net..")
                .layer("engine")
                .definedBy("org.panamaverbs.iwarp.engine..")
                .layer("provider")
                .definedBy("org.panamaverbs.iwarp")
                .whereLayer("provider")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("engine")
                .mayOnlyBeAccessedByLayers("provider")
                .whereLayer("net")
                .mayOnlyBeAccessedByLayers("engine")
                .whereLayer("core")
                .mayOnlyBeAccessedByLayers("engine")
                .whereLayer("wire")
                .mayOnlyBeAccessedByLayers("core", "engine")
                .whereLayer("api")
                .mayOnlyBeAccessedByLayers("core", "engine", "provider")
                .whereLayer("memory")
                .mayOnlyBeAccessedByLayers("api", "wire", "core", "engine")
                .check(CLASSES);
    }

    @Test
    void coreAndWireKnowNoInputOutputThreadsClocksOrLocks() {
        noClasses()
                .that()
                .resideInAnyPackage("org.panamaverbs.iwarp.core..", "org.panamaverbs.iwarp.wire..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.net..",
                        "java.nio.channels..",
                        "java.nio.file..",
                        "java.util.concurrent",
                        "java.util.concurrent.locks..",
                        "java.util.logging..",
                        "java.security..",
                        "java.time..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.Thread")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Random")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.lang\\.System\\$Logger.*")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(CLASSES);
    }
}
