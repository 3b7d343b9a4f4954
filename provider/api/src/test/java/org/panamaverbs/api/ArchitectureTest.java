package org.panamaverbs.api;

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
import org.panamaverbs.api.selection.ProviderSelection;
import org.panamaverbs.api.spi.ProviderReport;

/** Who may know whom in the api. */
class ArchitectureTest {
    private static final int MOST_TYPES = 20;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.panamaverbs.api");

    /**
     * The verbs are below what finds a provider, what one implements and what helps it. {@link Verbs} alone looks up,
     * from its methods {@code open} and {@code providers}: the entry of applications to what is above it.
     */
    @Test
    void packagesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.api..")
                .layer("iwarp")
                .definedBy("org.panamaverbs.api.iwarp")
                .layer("verbs")
                .definedBy("org.panamaverbs.api")
                .layer("support")
                .definedBy("org.panamaverbs.api.support")
                .layer("spi")
                .definedBy("org.panamaverbs.api.spi")
                .layer("selection")
                .definedBy("org.panamaverbs.api.selection")
                .whereLayer("iwarp")
                .mayNotAccessAnyLayer()
                .whereLayer("verbs")
                .mayOnlyAccessLayers("iwarp")
                .whereLayer("support")
                .mayOnlyAccessLayers("verbs")
                .whereLayer("spi")
                .mayOnlyAccessLayers("verbs")
                .whereLayer("selection")
                .mayOnlyAccessLayers("spi", "verbs")
                .ignoreDependency(Verbs.class, ProviderSelection.class)
                .ignoreDependency(Verbs.class, ProviderReport.class)
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    /**
     * Types of the published API do where one makes or takes the other: a domain makes queue pairs of a configuration,
     * which names its domain, since connect and accept make queue pairs of it, too; {@link Verbs} are opened by finding
     * a provider, which opens them.
     */
    @Test
    void noTwoTypesKnowEachOther() {
        slices().assignedFrom(BY_TYPE)
                .should()
                .beFreeOfCycles()
                .ignoreDependency(QueuePairConfig.class, ProtectionDomain.class)
                .ignoreDependency(Verbs.class, ProviderSelection.class)
                .check(CLASSES);
    }

    /** But for the verbs, which are one idea of many types: docs/decisions/0034. */
    @Test
    void packagesHoldOneIdea() {
        Map<String, Integer> types = new TreeMap<>();
        for (JavaClass each : CLASSES) {
            if (each.getEnclosingClass().isEmpty() && !each.getSimpleName().equals("package-info")) {
                types.merge(each.getPackageName(), 1, Integer::sum);
            }
        }
        types.remove("org.panamaverbs.api");

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
