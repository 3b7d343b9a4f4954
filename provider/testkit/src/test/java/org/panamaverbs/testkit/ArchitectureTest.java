package org.panamaverbs.testkit;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who may know whom in the testkit. */
class ArchitectureTest {
    private static final String ROOT = "org.panamaverbs.testkit";

    /** The packages of scenarios, none of which knows another. */
    private static final List<String> SCENARIOS = List.of("connection", "operation", "order", "protection", "queue");

    /** The packages of what all tests use, none of which knows another of the testkit. */
    private static final List<String> TOOLS = List.of("network", "process", "random");

    /** As a rule 20. */
    private static final int MOST_TYPES = 20;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void packagesPointDownwards() {
        LayeredArchitecture layers = layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
                .layer("testkit")
                .definedBy(ROOT)
                .layer("faults")
                .definedBy(ROOT + ".faults")
                .layer("ledger")
                .definedBy(ROOT + ".soak.ledger")
                .layer("traffic")
                .definedBy(ROOT + ".soak.traffic")
                .layer("line")
                .definedBy(ROOT + ".soak.line")
                .layer("soak")
                .definedBy(ROOT + ".soak")
                .layer("suite")
                .definedBy(ROOT + ".conformance");
        for (String each : TOOLS) {
            layers = layers.layer(each)
                    .definedBy(ROOT + "." + each)
                    .whereLayer(each)
                    .mayNotAccessAnyLayer();
        }
        for (String each : SCENARIOS) {
            layers = layers.layer(each)
                    .definedBy(ROOT + ".conformance." + each)
                    .whereLayer(each)
                    .mayOnlyBeAccessedByLayers("suite");
        }
        layers.whereLayer("suite")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("soak")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("line")
                .mayOnlyBeAccessedByLayers("soak")
                .whereLayer("traffic")
                .mayOnlyBeAccessedByLayers("line", "soak")
                .whereLayer("ledger")
                .mayOnlyBeAccessedByLayers("traffic", "line", "soak")
                .whereLayer("faults")
                .mayNotBeAccessedByAnyLayer()
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    /**
     * Types of the published testkit do where JUnit or a test goes from each to the other. An annotation and a base
     * class name the extension that runs them, which is how JUnit finds it; a poller makes the inbox of a queue, which
     * polls by it.
     */
    @Test
    void noTwoTypesKnowEachOther() {
        slices().assignedFrom(BY_TYPE)
                .should()
                .beFreeOfCycles()
                .ignoreDependency(
                        "org.panamaverbs.testkit.random.Seeded", "org.panamaverbs.testkit.random.SeededExtension")
                .ignoreDependency(Conformance.class, ConformanceExtension.class)
                .ignoreDependency(Inbox.class, Poller.class)
                .check(CLASSES);
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
