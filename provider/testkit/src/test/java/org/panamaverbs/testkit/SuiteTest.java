package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.panamaverbs.testkit.conformance.ConformanceSuite;

class SuiteTest {
    @Test
    void holdsEveryConformanceClass() throws IOException, URISyntaxException {
        List<String> held = Stream.of(ConformanceSuite.class.getDeclaredClasses())
                .filter(nested -> nested.isAnnotationPresent(Nested.class))
                .map(nested -> nested.getSuperclass().getSimpleName())
                .sorted()
                .toList();
        assertThat(held).hasSizeGreaterThan(20).isEqualTo(compiled());
    }

    private static List<String> compiled() throws IOException, URISyntaxException {
        URI suite = java.util.Objects.requireNonNull(ConformanceSuite.class.getResource("ConformanceSuite.class"))
                .toURI();
        try (Stream<Path> files =
                Files.walk(java.util.Objects.requireNonNull(Path.of(suite).getParent()))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith("Conformance.class"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .sorted()
                    .toList();
        }
    }
}
