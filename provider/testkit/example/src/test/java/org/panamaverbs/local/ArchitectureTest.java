package org.panamaverbs.local;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who may know whom: each package those before it, and no two types each other. */
class ArchitectureTest {
    private static final int MOST_TYPES = 20;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.panamaverbs.local");

    @Test
    void packagesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.local..")
                .layer("context")
                .definedBy("org.panamaverbs.local.context")
                .layer("work")
                .definedBy("org.panamaverbs.local.work")
                .layer("objects")
                .definedBy("org.panamaverbs.local.objects")
                .layer("connect")
                .definedBy("org.panamaverbs.local.connect")
                .layer("provider")
                .definedBy("org.panamaverbs.local")
                .whereLayer("provider")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("connect")
                .mayOnlyBeAccessedByLayers("provider")
                .whereLayer("objects")
                .mayOnlyBeAccessedByLayers("connect", "provider")
                .whereLayer("work")
                .mayOnlyBeAccessedByLayers("objects")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    @Test
    void noTwoTypesKnowEachOther() {
        slices().assignedFrom(BY_TYPE).should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void packagesHoldOneIdea() {
        Map<String, Integer> types = new TreeMap<>();
        for (JavaClass each : CLASSES) {
            if (each.getEnclosingClass().isEmpty() && !each.getSimpleName().equals("package-info")) {
                types.merge(each.getPackageName(), 1, Integer::sum);
            }
        }

        assertThat(types)
                .isNotEmpty()
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
