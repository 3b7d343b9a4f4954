package org.panamaverbs.disni;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The arrows between the packages: who may know whom. */
class ArchitectureTest {
    private static final String ROOT = "org.panamaverbs.disni";

    /** As a rule 20. */
    private static final long MOST_TYPES = 20;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

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

    @Test
    void packagesAreSmall() {
        Map<String, Long> types = CLASSES.stream()
                .filter(type -> type.getEnclosingClass().isEmpty()
                        && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

        assertThat(types)
                .hasSize(4)
                .allSatisfy((name, count) -> assertThat(count).as(name).isLessThanOrEqualTo(MOST_TYPES));
    }
}
