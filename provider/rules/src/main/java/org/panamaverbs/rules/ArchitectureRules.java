package org.panamaverbs.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.all;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.AbstractClassesTransformer;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ClassesTransformer;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SliceRule;
import java.util.Map;
import java.util.TreeMap;

/** What is asked of the types and packages of every module. */
public final class ArchitectureRules {
    /** The number of types that a package has at most, as a rule of thumb for one idea. */
    private static final int MOST_TYPES = 20;

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

    /** The packages by name, with how many types of a file of its own each has. */
    private static final ClassesTransformer<Map.Entry<String, Long>> PACKAGES =
            new AbstractClassesTransformer<>("packages") {
                @Override
                public Iterable<Map.Entry<String, Long>> doTransform(JavaClasses types) {
                    return types.stream()
                            .filter(type -> type.getEnclosingClass().isEmpty())
                            .filter(type -> !type.getSimpleName().equals("package-info"))
                            .collect(groupingBy(JavaClass::getPackageName, TreeMap::new, counting()))
                            .entrySet();
                }
            };

    private static final ArchCondition<Map.Entry<String, Long>> HOLD_ONE_IDEA =
            new ArchCondition<>("hold one idea, in at most " + MOST_TYPES + " types") {
                @Override
                public void check(Map.Entry<String, Long> each, ConditionEvents events) {
                    String count = each.getKey() + " has " + each.getValue() + " types";
                    events.add(new SimpleConditionEvent(each, each.getValue() <= MOST_TYPES, count));
                }
            };

    private ArchitectureRules() {}

    /** Returns what imports the types of a module without those of its tests. */
    public static ClassFileImporter importer() {
        return new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests());
    }

    /**
     * Returns the rule that no two types know each other, also not by way of a third. A type counts with those nested
     * in it. Constants that the compiler copies leave no trace, so that the rule does not see them.
     */
    public static SliceRule noTwoTypesKnowEachOther() {
        return slices().assignedFrom(BY_TYPE).should().beFreeOfCycles();
    }

    /** Returns the rule that a package has at most 20 types; those nested in another do not count. */
    public static ArchRule packagesHoldOneIdea() {
        return all(PACKAGES).should(HOLD_ONE_IDEA);
    }
}
