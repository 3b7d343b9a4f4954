package org.panamaverbs.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The rules on types of the JDK, which keep and break them. */
class ArchitectureRulesTest {
    private final ClassFileImporter importer = new ClassFileImporter();

    @Test
    void importsNoTests() {
        JavaClasses own = ArchitectureRules.importer().importPackages("org.panamaverbs.rules");

        assertThat(own.contain(ArchitectureRules.class)).isTrue();
        assertThat(own.contain(ArchitectureRulesTest.class)).isFalse();
    }

    @Test
    void namesPackagesThatKnowEachOther() {
        JavaClasses both = importer.importClasses(String.class, Locale.class);

        assertThatThrownBy(() -> ArchitectureRules.noCyclesBetweenPackages().check(both))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("java.lang ")
                .hasMessageContaining("java.util");
        assertThatCode(() -> ArchitectureRules.noCyclesBetweenPackages()
                        .ignoreDependency(String.class, Locale.class)
                        .check(both))
                .doesNotThrowAnyException();
    }

    @Test
    void letsPackagesBeOfWhichOneKnowsTheOther() {
        ArchitectureRules.noCyclesBetweenPackages().check(importer.importClasses(Function.class, Objects.class));
    }

    @Test
    void letsTypesOfOnePackageKnowEachOther() {
        ArchitectureRules.noCyclesBetweenPackages().check(importer.importClasses(String.class, StringBuilder.class));
        ArchitectureRules.noCyclesBetweenPackages().check(importer.importClasses(Paths.class, Path.class));
    }

    @Test
    void failsWhereThereIsNothingToHold() {
        JavaClasses none = importer.importClasses();

        assertThatThrownBy(() -> ArchitectureRules.noCyclesBetweenPackages().check(none))
                .isInstanceOf(AssertionError.class);
    }
}
