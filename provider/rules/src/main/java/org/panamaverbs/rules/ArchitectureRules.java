package org.panamaverbs.rules;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SliceRule;

/** What is asked of the packages of every module. Sizes are judged by readers, not by tests. */
public final class ArchitectureRules {
    private static final SliceAssignment BY_PACKAGE = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    };

    private ArchitectureRules() {}

    /** Returns what imports the types of a module without those of its tests. */
    public static ClassFileImporter importer() {
        return new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests());
    }

    /**
     * Returns the rule that no two packages know each other, also not by way of a third. Constants that the compiler
     * copies leave no trace, so the rule does not see them.
     */
    public static SliceRule noCyclesBetweenPackages() {
        return slices().assignedFrom(BY_PACKAGE).should().beFreeOfCycles();
    }
}
