package org.panamaverbs.api;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.selection.ProviderSelection;
import org.panamaverbs.api.spi.ProviderReport;
import org.panamaverbs.rules.ArchitectureRules;

/** Who may know whom in the api. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages("org.panamaverbs.api");

    /**
     * The verbs are below what finds a provider, what one implements and what helps it. {@link Verbs} alone looks up,
     * from its methods {@code open} and {@code providers}: the entry of applications to what is above it.
     */
    @Test
    void packagesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.api..")
                .layer("config")
                .definedBy("org.panamaverbs.api.config")
                .layer("iwarp")
                .definedBy("org.panamaverbs.api.iwarp")
                .layer("ethernet")
                .definedBy("org.panamaverbs.api.ethernet")
                .layer("verbs")
                .definedBy("org.panamaverbs.api")
                .layer("outofband")
                .definedBy("org.panamaverbs.api.outofband")
                .layer("clock")
                .definedBy("org.panamaverbs.api.clock")
                .layer("recovery")
                .definedBy("org.panamaverbs.api.recovery")
                .layer("support")
                .definedBy("org.panamaverbs.api.support")
                .layer("software")
                .definedBy("org.panamaverbs.api.software")
                .layer("statistics")
                .definedBy("org.panamaverbs.api.statistics")
                .layer("flight")
                .definedBy("org.panamaverbs.api.flight")
                .layer("watch")
                .definedBy("org.panamaverbs.api.watch")
                .layer("spi")
                .definedBy("org.panamaverbs.api.spi")
                .layer("selection")
                .definedBy("org.panamaverbs.api.selection")
                .layer("xrc")
                .definedBy("org.panamaverbs.api.xrc")
                .whereLayer("config")
                .mayNotAccessAnyLayer()
                .whereLayer("iwarp")
                .mayNotAccessAnyLayer()
                .whereLayer("statistics")
                .mayNotAccessAnyLayer()
                .whereLayer("verbs")
                .mayOnlyAccessLayers("config", "ethernet", "iwarp", "statistics")
                .whereLayer("ethernet")
                .mayNotAccessAnyLayer()
                .whereLayer("flight")
                .mayOnlyAccessLayers("statistics")
                .whereLayer("watch")
                .mayOnlyAccessLayers("flight", "statistics", "verbs", "iwarp", "support")
                .whereLayer("outofband")
                .mayOnlyAccessLayers("config", "verbs")
                .whereLayer("clock")
                .mayOnlyAccessLayers("verbs")
                .whereLayer("xrc")
                .mayOnlyAccessLayers("config", "verbs")
                .whereLayer("recovery")
                .mayOnlyAccessLayers("verbs")
                .whereLayer("support")
                .mayOnlyAccessLayers("verbs")
                .whereLayer("software")
                .mayOnlyAccessLayers("verbs", "support", "watch", "statistics")
                .whereLayer("spi")
                .mayOnlyAccessLayers("verbs")
                .whereLayer("selection")
                .mayOnlyAccessLayers("spi", "verbs")
                .ignoreDependency(Verbs.class, ProviderSelection.class)
                .ignoreDependency(Verbs.class, ProviderReport.class)
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }
}
