package org.panamaverbs.bench;

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

/** Who may know whom among the benchmarks and what runs them. */
class ArchitectureTest {
    private static final int MOST_TYPES = 20;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
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
                .layer("many")
                .definedBy("org.panamaverbs.bench.loopback.many")
                .layer("waits")
                .definedBy("org.panamaverbs.bench.loopback.waits")
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
                .mayOnlyBeAccessedByLayers("page", "suite", "contestant", "standing", "compare")
                .whereLayer("standing")
                .mayOnlyBeAccessedByLayers("compare", "many")
                .whereLayer("contestant")
                .mayOnlyBeAccessedByLayers("standing", "compare")
                .whereLayer("suite")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("loopback")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("waits")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("many")
                .mayOnlyBeAccessedByLayers("loopback")
                .whereLayer("exchange")
                .mayOnlyBeAccessedByLayers("many", "loopback")
                .whereLayer("calls")
                .mayOnlyBeAccessedByLayers("suite")
                .whereLayer("machine")
                .mayOnlyBeAccessedByLayers("suite", "standing", "compare")
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
