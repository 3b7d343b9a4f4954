package org.panamaverbs.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rules on types of the JDK and of JUnit, which keep and break them. */
class ArchitectureRulesTest {
    private final ClassFileImporter importer = new ClassFileImporter();

    @Test
    void importsNoTests() {
        JavaClasses own = ArchitectureRules.importer().importPackages("org.panamaverbs.rules");

        assertThat(own.contain(ArchitectureRules.class)).isTrue();
        assertThat(own.contain(ArchitectureRulesTest.class)).isFalse();
    }

    @Test
    void namesTypesThatKnowEachOther() {
        JavaClasses both = importer.importClasses(String.class, StringBuilder.class);

        assertThatThrownBy(() -> ArchitectureRules.noTwoTypesKnowEachOther().check(both))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("java.lang.String ")
                .hasMessageContaining("java.lang.StringBuilder");
        assertThatCode(() -> ArchitectureRules.noTwoTypesKnowEachOther()
                        .ignoreDependency(String.class, StringBuilder.class)
                        .check(both))
                .doesNotThrowAnyException();
    }

    @Test
    void letsTypesBeOfWhichOneKnowsTheOther() {
        ArchitectureRules.noTwoTypesKnowEachOther().check(importer.importClasses(Paths.class, Path.class));
    }

    @Test
    void countsNestedTypesAsTheOneAroundThem() {
        List<Class<?>> types = new ArrayList<>(List.of(Collections.class.getDeclaredClasses()));
        types.add(Collections.class);

        assertThat(types).hasSizeGreaterThan(20);
        ArchitectureRules.packagesHoldOneIdea().check(importer.importClasses(types));
        ArchitectureRules.noTwoTypesKnowEachOther().check(importer.importClasses(Map.class, Map.Entry.class));
    }

    @Test
    void namesPackagesOfManyTypes() {
        assertThatThrownBy(() ->
                        ArchitectureRules.packagesHoldOneIdea().check(importer.importPackages("org.junit.jupiter.api")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("org.junit.jupiter.api has ");
    }

    @Test
    void failWhereThereIsNothingToHold() {
        JavaClasses none = importer.importClasses();

        assertThatThrownBy(() -> ArchitectureRules.packagesHoldOneIdea().check(none))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> ArchitectureRules.noTwoTypesKnowEachOther().check(none))
                .isInstanceOf(AssertionError.class);
    }
}
