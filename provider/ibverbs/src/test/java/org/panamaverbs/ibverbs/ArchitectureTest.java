package org.panamaverbs.ibverbs;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;
import org.panamaverbs.rules.PublicApi;

/** The arrows of docs/architecture.md: who may know whom. */
class ArchitectureTest {
    private static final String ROOT = "org.panamaverbs.ibverbs";

    /** The packages, each of which knows only those before it. */
    private static final List<String> PACKAGES = List.of(
            "call",
            "extensions",
            "facts",
            "entries",
            "device",
            "context",
            "memory",
            "completion",
            "post",
            "queuepair",
            "xrc",
            "cm",
            "connect",
            "datagram");

    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages(ROOT);

    @Test
    void packagesPointDownwards() {
        LayeredArchitecture layers = layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
                .layer("provider")
                .definedBy(ROOT);
        for (String each : PACKAGES) {
            layers = layers.layer(each).definedBy(ROOT + "." + each);
        }
        for (int i = 0; i < PACKAGES.size(); i++) {
            layers = layers.whereLayer(PACKAGES.get(i)).mayOnlyBeAccessedByLayers(above(i));
        }
        layers.whereLayer("provider")
                .mayNotBeAccessedByAnyLayer()
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    private static String[] above(int index) {
        List<String> packages = PACKAGES.subList(index + 1, PACKAGES.size());
        String[] above = packages.toArray(new String[packages.size() + 1]);
        above[packages.size()] = "provider";
        return above;
    }

    /** Nor does it know memory, which comes before it in the order. */
    @Test
    void completionKnowsNoMemory() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".completion")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + ".memory")
                .check(CLASSES);
    }

    /** Its devices speak it at most by themselves: no Terminate reaches an application. */
    @Test
    void knowsNoTypesOfIwarp() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching("org\\.panamaverbs\\.api\\.cm\\.Terminate.*")
                .check(CLASSES);
    }

    @Test
    void noCyclesBetweenPackages() {
        ArchitectureRules.noCyclesBetweenPackages().check(CLASSES);
    }

    /** What others use stands as it was recorded with the last release. */
    @Test
    void keepsThePublicApi() {
        PublicApi.keeps(CLASSES, PublicApi.exported(), Path.of("src/test/public-api.txt"));
    }
}
