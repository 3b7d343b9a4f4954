package org.panamaverbs.ibverbs;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
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
import org.junit.jupiter.api.Test;

/** The arrows of docs/architecture.md: who may know whom. */
class ArchitectureTest {
    private static final String ROOT = "org.panamaverbs.ibverbs";

    /** The packages, each of which knows only those before it. */
    private static final List<String> PACKAGES = List.of(
            "call",
            "facts",
            "entries",
            "device",
            "context",
            "memory",
            "completion",
            "post",
            "queuepair",
            "cm",
            "connect",
            "datagram");

    /** As a rule 20. */
    private static final int MOST_TYPES = 20;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

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
                .resideInAPackage("org.panamaverbs.api.iwarp")
                .check(CLASSES);
    }

    @Test
    void noTwoTypesKnowEachOther() {
        slices().assignedFrom(BY_TYPE).should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void packagesAreSmall() {
        for (String each : PACKAGES) {
            long types = CLASSES.stream()
                    .filter(type -> type.getPackageName().equals(ROOT + "." + each))
                    .filter(type -> type.getEnclosingClass().isEmpty()
                            && !type.getSimpleName().equals("package-info"))
                    .count();
            assertThat(types).as(each).isBetween(1L, (long) MOST_TYPES);
        }
    }

    /** Each type of a file of its own, with those nested in it. */
    private static final SliceAssignment BY_TYPE = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            JavaClass outermost = type;
            while (outermost.getEnclosingClass().isPresent()) {
                outermost = outermost.getEnclosingClass().get();
            }
            return outermost.getPackageName().startsWith(ROOT)
                    ? SliceIdentifier.of(outermost.getFullName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "types";
        }
    };
}
