package org.panamaverbs.api;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;
import org.panamaverbs.rules.PublicApi;
import org.panamaverbs.spi.selection.ProviderSelection;
import org.panamaverbs.spi.support.CompletionWriter;
import org.panamaverbs.spi.support.EventWriter;

/** Which packages of this module may depend on which. */
class ArchitectureTest {
    private static final JavaClasses CLASSES =
            ArchitectureRules.importer().importPackages("org.panamaverbs.api", "org.panamaverbs.spi");

    /**
     * The verbs, in four packages of one surface since {@link Verbs} and {@link QueuePair} create what the other three
     * describe, are below what applications and providers build on them. {@link Verbs} alone looks up, from its methods
     * {@code open} and {@code providers}: the applications' entry to the selection of providers.
     * {@link WorkCompletions} hands the support for providers what writes its holders, which no public method of the
     * verbs does.
     */
    @Test
    void packagesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.api..", "org.panamaverbs.spi..")
                .layer("verbs")
                .definedBy(
                        "org.panamaverbs.api",
                        "org.panamaverbs.api.cm",
                        "org.panamaverbs.api.device",
                        "org.panamaverbs.api.ext")
                .layer("config")
                .definedBy("org.panamaverbs.api.config")
                .layer("outofband")
                .definedBy("org.panamaverbs.api.cm.outofband")
                .layer("util")
                .definedBy("org.panamaverbs.api.util")
                .layer("support")
                .definedBy("org.panamaverbs.spi.support")
                .layer("software")
                .definedBy("org.panamaverbs.spi.software")
                .layer("flight")
                .definedBy("org.panamaverbs.spi.flight")
                .layer("watch")
                .definedBy("org.panamaverbs.spi.watch")
                .layer("spi")
                .definedBy("org.panamaverbs.spi")
                .layer("selection")
                .definedBy("org.panamaverbs.spi.selection")
                .whereLayer("config")
                .mayNotAccessAnyLayer()
                .whereLayer("verbs")
                .mayOnlyAccessLayers("config")
                .whereLayer("outofband")
                .mayOnlyAccessLayers("verbs", "config")
                .whereLayer("util")
                .mayOnlyAccessLayers("verbs")
                .whereLayer("support")
                .mayOnlyAccessLayers("verbs")
                .whereLayer("flight")
                .mayOnlyAccessLayers("verbs")
                .whereLayer("watch")
                .mayOnlyAccessLayers("flight", "verbs", "support")
                .whereLayer("software")
                .mayOnlyAccessLayers("verbs", "support", "watch")
                .whereLayer("spi")
                .mayOnlyAccessLayers("verbs")
                .whereLayer("selection")
                .mayOnlyAccessLayers("spi", "verbs")
                .ignoreDependency(Verbs.class, ProviderSelection.class)
                .ignoreDependency(WorkCompletions.class, CompletionWriter.class)
                .ignoreDependency(CompletionHolders.class, CompletionWriter.class)
                .ignoreDependency(Events.class, EventWriter.class)
                .ignoreDependency(EventHolders.class, EventWriter.class)
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    /** What a device is does not depend on how one connects or on what few devices have. */
    @Test
    void factsOfADeviceStandAlone() {
        noClasses()
                .that()
                .resideInAPackage("org.panamaverbs.api.device")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.panamaverbs.api.cm..", "org.panamaverbs.api.ext", "org.panamaverbs.api.util")
                .check(CLASSES);
    }

    /** What others use stands as it was recorded with the last release. */
    @Test
    void keepsThePublicApi() {
        PublicApi.keeps(CLASSES, PublicApi.exported(), Path.of("src/test/public-api.txt"));
    }
}
