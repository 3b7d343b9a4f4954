package org.panamaverbs.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The conformance suite as iwarp runs it. */
class SuiteTest {
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
