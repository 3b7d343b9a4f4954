package org.panamaverbs.examples;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;

/** Examples use what every application has, stand alone, and are small. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages("org.panamaverbs.examples");

    @Test
    void examplesUseThePublicApiAlone() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.panamaverbs.iwarp..",
                        "org.panamaverbs.ibverbs..",
                        "org.panamaverbs.local..",
                        "org.panamaverbs.bindings..",
                        "org.panamaverbs.spi..",
                        "org.panamaverbs.memory.access..")
                .check(CLASSES);
    }

    @Test
    void noExampleKnowsAnother() {
        SlicesRuleDefinition.slices()
                .matching("org.panamaverbs.examples.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(alwaysTrue(), resideInAPackage("..command"))
                .check(CLASSES);
    }

    @Test
    void noCyclesBetweenPackages() {
        ArchitectureRules.noCyclesBetweenPackages().check(CLASSES);
    }
}
