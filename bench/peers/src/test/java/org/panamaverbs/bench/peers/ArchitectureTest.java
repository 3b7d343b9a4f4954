package org.panamaverbs.bench.peers;

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

/** Who may know whom among the peers. */
class ArchitectureTest {
    private static final int MOST_TYPES = 20;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.panamaverbs.bench.peers");

    @Test
    void noTwoTypesKnowEachOther() {
        slices().assignedFrom(BY_TYPE).should().beFreeOfCycles().check(CLASSES);
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
