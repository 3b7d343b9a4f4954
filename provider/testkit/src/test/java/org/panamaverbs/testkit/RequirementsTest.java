package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The conformance classes themselves. */
class RequirementsTest {
    @Test
    void requirementsAreWellFormed() {
        List<String> ids = new ArrayList<>();
        for (Class<?> suite : IwarpSpinConformanceTest.class.getDeclaredClasses()) {
            for (Method method : suite.getSuperclass().getDeclaredMethods()) {
                for (Requirement requirement : method.getAnnotationsByType(Requirement.class)) {
                    ids.addAll(List.of(requirement.value()));
                }
            }
        }
        assertThat(ids).hasSizeGreaterThan(100).allMatch(id -> id.matches("(RDMAP|EXT|DDP|MPA|ENH|SEC)-[0-9A-Z.]+-.+"));
    }

    @Test
    void bothProgressModesRunTheSameClasses() {
        assertThat(classes(IwarpSpinConformanceTest.class))
                .hasSizeGreaterThan(20)
                .isEqualTo(classes(IwarpBackgroundConformanceTest.class));
    }

    private static List<String> classes(Class<?> suite) {
        List<String> names = new ArrayList<>();
        for (Class<?> nested : suite.getDeclaredClasses()) {
            assertThat(nested.isAnnotationPresent(Nested.class)).isTrue();
            names.add(nested.getSuperclass().getName());
        }
        return names.stream().sorted().toList();
    }
}
