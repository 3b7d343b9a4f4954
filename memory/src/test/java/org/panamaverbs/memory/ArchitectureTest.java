package org.panamaverbs.memory;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.panamaverbs.rules.ArchitectureRules;

/** Who may know whom in the memory module. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages("org.panamaverbs.memory");

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
        ArchitectureRules.noTwoTypesKnowEachOther()
                .ignoreDependency(RegisteredBuffer.class, AtomicTarget.class)
                .ignoreDependency(PooledBuffer.class, BufferPool.class)
                .check(CLASSES);
    }

    @Test
    void packagesHoldOneIdea() {
        ArchitectureRules.packagesHoldOneIdea().check(CLASSES);
    }
}
