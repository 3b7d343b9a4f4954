package org.panamaverbs.disni;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.RdmaProvider;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
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

    /** With what stands in for DiSNI's own, without DiSNI's jar. */
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
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
    void noTwoTypesKnowEachOther() {
        slices().assignedFrom(BY_TYPE)
                .should()
                .beFreeOfCycles()
                .ignoreDependency(RdmaProvider.class, PanamaProvider.class)
                .check(ALL);
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

    /** Each type of a file of its own, with those nested in it. */
    private static final SliceAssignment BY_TYPE = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            JavaClass outermost = type;
            while (outermost.getEnclosingClass().isPresent()) {
                outermost = outermost.getEnclosingClass().get();
            }
            return SliceIdentifier.of(outermost.getFullName());
        }

        @Override
        public String getDescription() {
            return "types";
        }
    };
}
