package org.panamaverbs.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.rules.ArchitectureRules;
import org.panamaverbs.rules.NativeImageMetadata;

/** GraalVM's native-image is told of every shape of a call into C, or that call fails in an image. */
class NativeImageMetadataTest {
    private static final JavaClasses CLASSES = ArchitectureRules.importer().importPackages("org.panamaverbs.bindings");
    private static final String FILE = NativeImageMetadata.path("panama-verbs-bindings");

    @TempDir
    private Path output;

    @BeforeAll
    static void isLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "what is linked elsewhere is less");
    }

    /** With -Dverbs.metadata=DIRECTORY the file there, a folder of resources, is written anew instead. */
    @Test
    void hasEachShapeThatIsLinked() throws IOException, InterruptedException {
        List<String> classes = NativeImageMetadata.linking(CLASSES);
        Set<String> linked = NativeImageMetadata.linked(classes, output);
        assertThat(linked).isNotEmpty();

        String written = System.getProperty("verbs.metadata");
        if (written != null) {
            Path file = Path.of(written, FILE);
            Files.createDirectories(file.getParent());
            Files.writeString(file, NativeImageMetadata.text(linked));
            return;
        }
        String shipped;
        try (var resource = Downcalls.class.getClassLoader().getResourceAsStream(FILE)) {
            assertThat(resource).as(FILE).isNotNull();
            shipped = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertThat(shipped.lines().map(line -> line.strip().replaceFirst(",$", "")))
                .containsAll(linked);
    }

    /** Of variadic functions the caller says the shape, and tells native-image himself. */
    @Test
    void linksNothingLater() {
        NativeImageMetadata.linkedWhenMade(Set.of(
                        "org.panamaverbs.bindings.Downcalls",
                        "org.panamaverbs.bindings.libc.Libc$fcntl",
                        "org.panamaverbs.bindings.libc.Libc$mremap"))
                .check(CLASSES);
    }
}
