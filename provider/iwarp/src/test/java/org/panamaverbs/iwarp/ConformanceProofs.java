package org.panamaverbs.iwarp;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.RequirementCase;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

/**
 * The tests that prove rows of the conformance table.
 *
 * @param ofRow proofs by the id of the row
 * @param tests all tests there are, whatever they prove
 * @param faults what is annotated but does not run
 */
record ConformanceProofs(Map<String, TreeSet<String>> ofRow, Set<String> tests, Set<String> faults) {
    private static final Pattern CASES = Pattern.compile(".*(?:Test|Conformance)[.]class");

    /** Collects what the test classes of this module and the conformance suite say. */
    static ConformanceProofs collect() {
        ConformanceProofs proofs = new ConformanceProofs(new TreeMap<>(), new TreeSet<>(), new TreeSet<>());
        ImportOption named = location -> location.matches(CASES);
        for (JavaClass found : new ClassFileImporter().withImportOption(named).importPackages("org.panamaverbs")) {
            String name = found.getSimpleName();
            if (name.endsWith("Test") || name.endsWith("Conformance")) {
                Class<?> type = found.reflect();
                for (Method method : type.getDeclaredMethods()) {
                    proofs.add(type, method);
                }
            }
        }
        return proofs;
    }

    private void add(Class<?> type, Method method) {
        Requirement[] requirements = method.getAnnotationsByType(Requirement.class);
        String name = type.getSimpleName() + "#" + method.getName();
        if (AnnotationSupport.isAnnotated(method, Testable.class)) {
            tests.add(name);
        } else if (requirements.length > 0) {
            faults.add(name + " is no test");
        }
        if (requirements.length > 0 && !runs(type, method)) {
            faults.add(name + " is never run");
        }
        for (Requirement requirement : requirements) {
            for (String id : requirement.value()) {
                prove(id, name);
            }
        }
        AnnotationSupport.findAnnotation(method, MethodSource.class)
                .ifPresent(source -> addCases(type, name, source.value()));
    }

    private static boolean runs(Class<?> type, Method method) {
        boolean enabled = !AnnotationSupport.isAnnotated(method, Disabled.class)
                && !AnnotationSupport.isAnnotated(type, Disabled.class);
        return enabled
                && (!type.getSimpleName().endsWith("Conformance")
                        || Arrays.stream(ConformanceSuite.class.getDeclaredClasses())
                                .anyMatch(type::isAssignableFrom));
    }

    // A parameterised test whose cases prove rows of their own.
    private void addCases(Class<?> type, String name, String... sources) {
        for (String source : sources) {
            // By the engine's means, which the modules of the tests are open to.
            Object cases = ReflectionSupport.findMethod(type, source)
                    .map(method -> ReflectionSupport.invokeMethod(method, null))
                    .orElse(null);
            if (cases instanceof Stream<?> stream) {
                stream.forEach(each -> addCase(name, each));
            }
        }
    }

    private void addCase(String name, Object each) {
        if (each instanceof RequirementCase known) {
            known.requirements().forEach(id -> prove(id, name + "[" + known + "]"));
        }
    }

    private void prove(String id, String proof) {
        ofRow.computeIfAbsent(id, key -> new TreeSet<>()).add(proof);
    }

    /** Returns the proofs of a row as the table shows them. */
    String shown(String id) {
        return String.join("; ", ofRow.getOrDefault(id, new TreeSet<>()));
    }
}
