package org.panamaverbs.cli;

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

/** Who may know whom in the command. */
class ArchitectureTest {
    private static final int MOST_TYPES = 20;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.panamaverbs.cli");

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
                .layer("exercise")
                .definedBy("org.panamaverbs.cli.demo.exercise")
                .layer("demo")
                .definedBy("org.panamaverbs.cli.demo")
                .layer("measure")
                .definedBy("org.panamaverbs.cli.perf.measure")
                .layer("perf")
                .definedBy("org.panamaverbs.cli.perf")
                .layer("rping")
                .definedBy("org.panamaverbs.cli.rping")
                .layer("verbs")
                .definedBy("org.panamaverbs.cli")
                .whereLayer("verbs")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("decode")
                .mayOnlyBeAccessedByLayers("verbs")
                .whereLayer("demo")
                .mayOnlyBeAccessedByLayers("verbs")
                .whereLayer("perf")
                .mayOnlyBeAccessedByLayers("verbs")
                .whereLayer("rping")
                .mayOnlyBeAccessedByLayers("verbs")
                .whereLayer("iwarp")
                .mayOnlyBeAccessedByLayers("decode")
                .whereLayer("dissect")
                .mayOnlyBeAccessedByLayers("iwarp", "decode")
                .whereLayer("tcp")
                .mayOnlyBeAccessedByLayers("iwarp", "decode")
                .whereLayer("capture")
                .mayOnlyBeAccessedByLayers("tcp", "decode")
                .whereLayer("exercise")
                .mayOnlyBeAccessedByLayers("demo")
                .whereLayer("measure")
                .mayOnlyBeAccessedByLayers("perf")
                .whereLayer("command")
                .mayOnlyBeAccessedByLayers("decode", "exercise", "demo", "measure", "perf", "rping", "verbs")
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
