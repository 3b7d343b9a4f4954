package org.panamaverbs.memory;

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

/** Who may know whom in the memory module. */
class ArchitectureTest {
    private static final int MOST_TYPES = 20;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.panamaverbs.memory");

    /** What the memory of others is accessed by, and the room on the stack, know nothing of what uses them. */
    @Test
    void packagesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.memory..")
                .layer("access")
                .definedBy("org.panamaverbs.memory.access")
                .layer("stack")
                .definedBy("org.panamaverbs.memory.stack")
                .layer("memory")
                .definedBy("org.panamaverbs.memory")
                .whereLayer("access")
                .mayNotAccessAnyLayer()
                .whereLayer("stack")
                .mayNotAccessAnyLayer()
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    /**
     * Two pairs of the published API do. An atomic target is a cell of a buffer, which makes it; a pooled buffer is
     * given back to the pool that lends it. In both, each is reached from the other by a method of the API.
     */
    @Test
    void noTwoTypesKnowEachOther() {
        slices().assignedFrom(BY_TYPE)
                .should()
                .beFreeOfCycles()
                .ignoreDependency(RegisteredBuffer.class, AtomicTarget.class)
                .ignoreDependency(PooledBuffer.class, BufferPool.class)
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
