package org.panamaverbs.testkit;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;
import org.panamaverbs.rules.PublicApi;

/** Who may know whom in the testkit. */
class ArchitectureTest {
    private static final String ROOT = "org.panamaverbs.testkit";

    /** The packages of scenarios, none of which knows another. */
    private static final List<String> SCENARIOS =
            List.of("connection", "event", "operation", "order", "protection", "queue");

    /** The packages of what all tests use, none of which knows another of the testkit. */
    private static final List<String> TOOLS = List.of("network", "process", "random");

    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages(ROOT);

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
                .layer("crowd")
                .definedBy(ROOT + ".crowd")
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
                .whereLayer("crowd")
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

    @Test
    void noCyclesBetweenPackages() {
        ArchitectureRules.noCyclesBetweenPackages().check(CLASSES);
    }

    /** What others use stands as it was recorded with the last release. */
    @Test
    void keepsThePublicApi() {
        PublicApi.keeps(CLASSES, Set.of("org.panamaverbs.testkit"), Path.of("src/test/public-api.txt"));
    }
}
